import type { JSX } from "preact";
import { hunks, lineDiff } from "../model/line-diff.ts";

const CLASSES = { "+": "line add", "-": "line remove", " ": "line" } as const;

/** What changes from one text to another. */
export function DiffView({ before, after }: { readonly before: string; readonly after: string }): JSX.Element {
  const lines = hunks(lineDiff(before, after));
  if (lines.length <= 1 && lines.every((line) => line === null)) return <p class="empty">Nothing changes.</p>;
  return (
    <pre class="code diff" tabIndex={0} aria-label="Changes">
      {lines.map((line, index) =>
        line === null ? (
          <span key={index} class="line gap">
            ⋯
          </span>
        ) : (
          <span key={index} class={CLASSES[line.sign]}>
            {line.sign} {line.text}
          </span>
        ),
      )}
    </pre>
  );
}
