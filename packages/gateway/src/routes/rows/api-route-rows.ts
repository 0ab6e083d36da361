import type { APIRouteSpec } from "@gatewright/resources";
import type { CompiledRoute } from "../compiled-route.ts";
import { headerMatches, namedHost, queryMatches } from "./field-matches.ts";
import { RowDraft } from "./row-draft.ts";
import type { RouteRows, RowSubject } from "./row-subject.ts";
import { uriPath } from "./uri-path.ts";

/** The ways to an APIRoute: one for each entry of `match` and each host; without entries one for everything. */
export function apiRouteRows(
  spec: Pick<APIRouteSpec, "match" | "hosts">,
  route: CompiledRoute,
  subject: RowSubject,
): RouteRows {
  const draft = new RowDraft(route, subject, spec.hosts);
  const entries = spec.match === undefined || spec.match.length === 0 ? [{}] : spec.match;
  for (const [place, entry] of entries.entries()) {
    const field = `spec.match[${place}]`;
    const path = uriPath(draft, `${field}.uri`, entry.uri);
    const headers = headerMatches(draft, `${field}.headers`, entry.headers);
    const query = queryMatches(draft, `${field}.queryParams`, entry.queryParams);
    if (path === undefined) continue;
    const methods = methodsOf(entry.methods);
    draft.add(field, place, namedHost(entry.headers), { path, methods, headers, query, grpc: undefined });
  }
  return draft.done();
}

function methodsOf(methods: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const names = new Set((methods ?? []).map((method) => method.toUpperCase()));
  return names.size === 0 || names.has("*") ? undefined : names;
}
