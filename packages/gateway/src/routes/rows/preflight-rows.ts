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
  return rows.flatMap((row) => {
    const ofHost = row.headers.filter(({ name }) => name === "host");
    const isForPreflights = row.methods === undefined || row.methods.has("OPTIONS");
    if (isForPreflights && ofHost.length === row.headers.length) return [];
    return [{ ...row, methods: PREFLIGHT, headers: [...ofHost, ...ASKED] }];
  });
}

/** Whether a row was made by {@link preflightRows}. */
export function isPreflight({ methods }: MatchRow): boolean {
  return methods === PREFLIGHT;
}
