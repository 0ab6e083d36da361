import type { ComponentChildren, JSX } from "preact";
import { STATES } from "../model/state.ts";
import { href } from "../state/location.ts";
import type { KnownKind, Shown } from "../state/live.ts";
import { standing } from "../state/session.ts";
import type { ShownKind } from "../model/kube.ts";
import { Age } from "./clock.tsx";
import { StateBadge } from "./state-badge.tsx";

export interface Column {
  readonly title: string;
  readonly of: (shown: Shown, kind: ShownKind) => ComponentChildren;
}

export interface ObjectTableProps {
  /** What the table is of, for those who do not see it. */
  readonly caption: string;
  readonly kinds: readonly { readonly kind: ShownKind; readonly known: KnownKind }[];
  readonly columns: readonly Column[];
  /** Whether a column names the kind. */
  readonly mixed?: boolean;
  /** What to say where there is nothing. */
  readonly empty: ComponentChildren;
}

/** Objects, the worst first, with how they are and why. */
export function ObjectTable({ caption, kinds, columns, mixed = false, empty }: ObjectTableProps): JSX.Element {
  const rows = kinds
    .flatMap(({ kind, known }) =>
      Array.from(known.objects, ([key, shown]) => ({ kind, key, shown, standing: standing(shown) })),
    )
    .toSorted((a, b) => {
      const rank = STATES.indexOf(a.standing.state) - STATES.indexOf(b.standing.state);
      return rank !== 0 ? rank : `${a.kind.kind} ${a.key}`.localeCompare(`${b.kind.kind} ${b.key}`);
    });
  if (rows.length === 0) {
    const isLoading = kinds.some(({ known }) => known.standing === "loading");
    return <div class="card empty">{isLoading ? "Loading…" : empty}</div>;
  }
  return (
    <div class="card table-scroll">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            {mixed && <th scope="col">Kind</th>}
            <th scope="col">Name</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">Why</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, key, shown, standing: { state, reason, message } }) => {
            const { namespace, name, creationTimestamp } = shown.object.metadata;
            return (
              <tr key={`${kind.id} ${key}`}>
                <td>
                  <StateBadge state={state} />
                </td>
                {mixed && <td class="soft nowrap">{kind.kind}</td>}
                <td>
                  <a class="name" href={href("object", kind.id, namespace ?? "-", name)}>
                    {name}
                  </a>
                  {namespace !== undefined && <div class="faint">{namespace}</div>}
                </td>
                {columns.map(({ title, of }) => (
                  <td key={title}>{of(shown, kind)}</td>
                ))}
                <td>
                  <div class="why">{state === "ok" ? reason : message || reason}</div>
                </td>
                <td>
                  <Age since={creationTimestamp} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
