import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { later } from "../../browser/time.ts";
import { Icon } from "./icons.tsx";

/** A command for a shell, with a button that copies it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    later(1_500, () => setCopied(false));
  };
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="button small bare" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
        <Icon name="copy" size={14} />
        <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
      </button>
    </div>
  );
}
