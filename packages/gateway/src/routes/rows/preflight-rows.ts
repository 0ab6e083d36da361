import type { FieldMatch, MatchRow } from "../../table/match-row.ts";

const PREFLIGHT: ReadonlySet<string> = new Set(["OPTIONS"]);
const ASKED: readonly FieldMatch[] = [
  { name: "origin", test: { type: "present" } },
  { name: "access-control-request-method", test: { type: "present" } },
];

/**
 * The ways by which browsers ask a route with CORS before they send what it is for: by OPTIONS, whatever methods the route lists, and
 * without the headers of the request to come.
 */
export function preflightRows(rows: readonly MatchRow[]): readonly MatchRow[] {
  return rows.flatMap((row) =>
    row.methods === undefined || row.methods.has("OPTIONS") ? [] : [{ ...row, methods: PREFLIGHT, headers: ASKED }],
  );
}

/** Whether a row was made by {@link preflightRows}. */
export function isPreflight({ headers }: MatchRow): boolean {
  return headers === ASKED;
}
