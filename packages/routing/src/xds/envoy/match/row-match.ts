import type { MatchRow } from "@gatewright/gateway/rows";
import type { RouteMatchSchema } from "@gatewright/gateway-wire/xds";
import { headerMatcher, methodMatcher, queryMatcher } from "./field-match.ts";
import { pathConditions, pathSpecifier } from "./path-match.ts";
import type { Init } from "../packed.ts";

/** A row's conditions besides its host. */
export function rowMatch(row: MatchRow): Init<typeof RouteMatchSchema> {
  const headers = row.headers.map(headerMatcher);
  if (row.methods !== undefined) headers.push(methodMatcher(row.methods));
  headers.push(...pathConditions(row.path));
  return {
    pathSpecifier: pathSpecifier(row.path),
    headers,
    queryParameters: row.query.map(queryMatcher),
    ...(row.grpc === true && { grpc: {} }),
  };
}
