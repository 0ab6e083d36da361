import type { JSX } from "preact";
import { useKinds, kindById, useSession } from "../state/session.ts";
import { Note } from "./note.tsx";

/** Says which of these kinds the page cannot show, and why: nothing is missing without a word. */
export function StandingNotes({ ids }: { readonly ids: readonly string[] }): JSX.Element | null {
  const session = useSession();
  const known = useKinds(ids);
  const kinds = ids.map((id, index) => ({ title: kindById(session, id)?.kind ?? id, ...known[index] }));
  const forbidden = kinds.filter(({ standing }) => standing === "forbidden");
  const cut = kinds.filter(({ standing }) => standing === "interrupted");
  if (forbidden.length === 0 && cut.length === 0) return null;
  const where = session.namespace === undefined ? "in all namespaces" : `in the namespace ${session.namespace}`;
  return (
    <div class="stack">
      {forbidden.length > 0 && (
        <Note state="unknown">
          You may not read {forbidden.map(({ title }) => title).join(", ")} {where}, so they are not shown.
          {session.namespace === undefined && " Choose a namespace above if you have rights in one."}
        </Note>
      )}
      {cut.length > 0 && (
        <Note state="warning">
          {cut.map(({ title }) => title).join(", ")}: what is shown may be old. {cut[0]?.message}
        </Note>
      )}
    </div>
  );
}
