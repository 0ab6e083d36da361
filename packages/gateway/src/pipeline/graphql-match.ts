import type { Source } from "../exchange/body.ts";
import { bytesSource, collect } from "../exchange/bodies.ts";
import type { RequestHead } from "../exchange/exchange.ts";
import { graphqlOperation } from "../routes/rows/graphql-operation.ts";
import type { MatchedRoute, Question, RouteTable } from "../table/route-table.ts";

/** The route of a request by its operation, and the body that was read to find it. Undefined route: none. */
export interface OperationMatched {
  readonly matched: MatchedRoute | undefined;
  readonly body: Source | undefined;
}

/** More than requests of GraphQL have. */
const MAX_BYTES = 1024 * 1024;

/**
 * Asks a table again, this time with the operation that the request holds: in its query (GET), or in its body, which is read for that
 * and given back whole. `too-large`: it is more than a route could be found for. Rejects when the body breaks off.
 */
export function matchByOperation(
  table: RouteTable,
  question: Question & { readonly head: Pick<RequestHead, "method" | "authority" | "fields" | "upgrade"> },
  body: Source | undefined,
): OperationMatched | Promise<OperationMatched | "too-large"> {
  const { head, query } = question;
  const { method, upgrade } = head;
  const about = { method, query, contentType: head.fields.get("content-type"), upgrade };
  const matchedWith = (bytes: Buffer): MatchedRoute | undefined =>
    table.match({ ...question, operation: graphqlOperation(about, bytes) });
  if (method === "GET" || upgrade !== undefined || body === undefined)
    return { matched: matchedWith(Buffer.alloc(0)), body };
  return collect(body, MAX_BYTES).then((collected) => {
    if (collected === "too-large") return collected;
    const { bytes, trailers } = collected;
    return { matched: matchedWith(bytes), body: bytesSource(bytes, trailers) };
  });
}
