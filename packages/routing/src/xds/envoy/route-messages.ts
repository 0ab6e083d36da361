import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { MatchRow } from "@gatewright/gateway/rows";
import { RouteSchema } from "@gatewright/gateway-wire/xds";
import type { RouteMatchSchema } from "@gatewright/gateway-wire/xds";
import { skippedPath } from "./features/skip-paths.ts";
import { FILTERS } from "./filter-names.ts";
import { headerRegex } from "./match/path-match.ts";
import { rowMatch } from "./match/row-match.ts";
import type { Init } from "./packed.ts";
import { patternsIn, sizeOnEnvoy } from "./pattern-sizes.ts";
import type { RouteDraft } from "./route-draft.ts";

type RouteInit = Init<typeof RouteSchema>;

/** What is done in the end with requests of a row. */
export type RouteActionOf = (row: MatchRow) => NonNullable<RouteInit["action"]>;

/** A row, and the routes that Envoy has for it, as elements of `VirtualHost.routes`. */
export interface EncodedRow {
  readonly row: MatchRow;
  readonly bytes: Uint8Array;
  /** For listeners with TLS. */
  readonly secureBytes: Uint8Array;
}

/** The routes of an object, for each of its rows. */
export function encodedRows(
  rows: readonly MatchRow[],
  draft: RouteDraft,
  action: RouteActionOf,
  mostPatternSize: number,
): EncodedRow[] {
  for (const row of rows)
    for (const pattern of patternsIn([
      rowMatch(row),
      draft.isClosed ? undefined : action(row),
      draft.skipPaths.map((path) => ({ regex: skippedPath(path) })),
    ]))
      if (sizeOnEnvoy(pattern) > mostPatternSize) {
        draft.refuse("match", "a pattern is larger than re2.max_program_size.error_level allows");
        return [];
      }
  const isDifferent = draft.secureFilters.size > 0 || draft.secureResponseHeaders.length > 0;
  return rows.map((row) => {
    const bytes = routesOf(row, draft, action, false);
    return { row, bytes, secureBytes: isDifferent ? routesOf(row, draft, action, true) : bytes };
  });
}

const CLOSED = { status: 503, body: { specifier: { case: "inlineString", value: "this route is closed\n" } } } as const;

/** Paths that need no authentication have a route of their own, before the others. */
function routesOf(row: MatchRow, draft: RouteDraft, action: RouteActionOf, secure: boolean): Uint8Array {
  const match = rowMatch(row);
  const writer = new BinaryWriter();
  const add = (route: RouteInit): void =>
    void writer.tag(3, WireType.LengthDelimited).bytes(toBinary(RouteSchema, create(RouteSchema, route)));
  if (!draft.isClosed)
    for (const path of draft.skipPaths) {
      const open = routeInit(row, withPath(match, skippedPath(path)), draft, action, secure);
      const { [FILTERS.jwt]: _demanded, ...filters } = open.typedPerFilterConfig ?? {};
      add({ ...open, typedPerFilterConfig: filters });
    }
  add(routeInit(row, match, draft, action, secure));
  return writer.finish();
}

function routeInit(
  row: MatchRow,
  match: Init<typeof RouteMatchSchema>,
  draft: RouteDraft,
  action: RouteActionOf,
  secure: boolean,
): RouteInit {
  const base = { name: row.route.id, match };
  if (draft.isClosed) return { ...base, action: { case: "directResponse", value: CLOSED } };
  return {
    ...base,
    action: action(row),
    typedPerFilterConfig: Object.fromEntries(secure ? [...draft.filters, ...draft.secureFilters] : draft.filters),
    requestHeadersToAdd: draft.requestHeaders,
    requestHeadersToRemove: draft.requestHeadersGone,
    responseHeadersToAdd: [...draft.responseHeaders, ...(secure ? draft.secureResponseHeaders : [])],
    responseHeadersToRemove: draft.responseHeadersGone,
  };
}

function withPath(match: Init<typeof RouteMatchSchema>, regex: string): Init<typeof RouteMatchSchema> {
  return { ...match, headers: [...(match.headers ?? []), headerRegex(":path", regex)] };
}
