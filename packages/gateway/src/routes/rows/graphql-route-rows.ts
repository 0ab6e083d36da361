import type { GraphQLRouteSpec } from "@gatewright/resources";
import { withNormalEscapes } from "../../exchange/target.ts";
import type { OperationMatch, PathMatch } from "../../table/match-row.ts";
import type { CompiledRoute } from "../compiled-route.ts";
import { headerMatches, namedHost } from "./field-matches.ts";
import { RowDraft } from "./row-draft.ts";
import type { RouteRows, RowSubject } from "./row-subject.ts";
import { textOf } from "./text-of.ts";

/** As GraphQL is spoken over HTTP; OPTIONS is for CORS. */
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "OPTIONS"]);

/** The ways to a GraphQLRoute; at `defaultPath` where it does not say the path. Rows with an operation need it to be read from the request before they are sure. */
export function graphqlRouteRows(
  spec: Pick<GraphQLRouteSpec, "match" | "hosts">,
  route: CompiledRoute,
  subject: RowSubject,
  defaultPath = "/graphql",
): RouteRows {
  const draft = new RowDraft(route, subject, spec.hosts);
  const entries = spec.match === undefined || spec.match.length === 0 ? [{}] : spec.match;
  for (const [place, entry] of entries.entries()) {
    const field = `spec.match[${place}]`;
    const written: PathMatch = textOf(entry.path) ?? { type: "exact", value: defaultPath };
    const path = written.type === "regex" ? written : { ...written, value: withNormalEscapes(written.value) };
    const name = textOf(entry.operationName);
    if (path.type === "regex") draft.checkPattern(`${field}.path.regex`, path.value);
    else if (!path.value.startsWith("/")) draft.fail(`${field}.path.${path.type}`, "has to begin with a slash");
    if (name?.type === "regex") draft.checkPattern(`${field}.operationName.regex`, name.value);
    const headers = headerMatches(draft, `${field}.headers`, entry.headers);
    const operation: OperationMatch = {
      ...(entry.operationType !== undefined && { type: entry.operationType }),
      ...(name !== undefined && { name }),
    };
    draft.add(field, place, namedHost(entry.headers), {
      path,
      methods: METHODS,
      headers,
      query: [],
      grpc: undefined,
      ...(Object.keys(operation).length > 0 && { operation }),
    });
  }
  return draft.done();
}
