import type { TextMatch } from "../../table/match-row.ts";

/** How a text is compared, as specs write it. Empty texts count as not written. */
export interface StringMatchSpec {
  readonly exact?: string;
  readonly prefix?: string;
  readonly regex?: string;
}

/** The one comparison that is written; undefined: none is. */
export function textOf(spec: StringMatchSpec | undefined): TextMatch | undefined {
  for (const type of ["exact", "prefix", "regex"] as const) {
    const value = spec?.[type] ?? "";
    if (value !== "") return { type, value };
  }
  return undefined;
}
