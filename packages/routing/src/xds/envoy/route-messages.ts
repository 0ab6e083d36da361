import { create, toBinary } from "@bufbuild/protobuf";
import type { MatchRow } from "@gatewright/gateway/rows";
import { RouteSchema } from "@gatewright/gateway-wire/xds";
import { rowMatch } from "./match/row-match.ts";
import type { RouteDraft } from "./route-draft.ts";
import type { Init } from "./packed.ts";

/** What is done in the end with requests of a row. */
export type RouteActionOf = (row: MatchRow) => NonNullable<Init<typeof RouteSchema>["action"]>;

/** A row, and the route that Envoy has for it. */
export interface EncodedRow {
  readonly row: MatchRow;
  readonly bytes: Uint8Array;
}

/** The routes of an object, one for each row. */
export function encodedRows(rows: readonly MatchRow[], draft: RouteDraft, action: RouteActionOf): EncodedRow[] {
  return rows.map((row) => ({ row, bytes: toBinary(RouteSchema, create(RouteSchema, routeInit(row, draft, action))) }));
}

const CLOSED = { status: 503, body: { specifier: { case: "inlineString", value: "this route is closed\n" } } } as const;

function routeInit(row: MatchRow, draft: RouteDraft, action: RouteActionOf): Init<typeof RouteSchema> {
  const base = { name: row.route.id, match: rowMatch(row) };
  if (draft.isClosed) return { ...base, action: { case: "directResponse", value: CLOSED } };
  return {
    ...base,
    action: action(row),
    typedPerFilterConfig: Object.fromEntries(draft.filters),
    requestHeadersToAdd: draft.requestHeaders,
    requestHeadersToRemove: draft.requestHeadersGone,
    responseHeadersToAdd: draft.responseHeaders,
    responseHeadersToRemove: draft.responseHeadersGone,
  };
}
