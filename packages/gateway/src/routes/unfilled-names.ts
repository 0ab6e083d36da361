import type { Note } from "../filters/around.ts";
import { pathNames } from "../table/compiled-row.ts";
import type { MatchRow } from "../table/match-row.ts";
import { namesIn } from "./actions/fill-in.ts";

/** Says which names of a path that is filled in are none of a path that requests are found by. */
export function noteUnfilledNames(
  field: string,
  uri: string | undefined,
  rows: readonly MatchRow[],
  note: (note: Note) => void,
): void {
  for (const name of new Set(namesIn(uri?.split("?")[0] ?? ""))) {
    const without = rows.find(({ path }) => !pathNames(path).has(name));
    if (without === undefined) continue;
    const message = `{${name}} is none of the names in spec.match[${without.place}].uri: it is sent as it is written`;
    note({ severity: "warning", field, message });
  }
}
