import { createRequire } from "node:module";
import { getOwn, isObject } from "@gatewright/kube";
import type * as GraphQL from "graphql";
import type { Operation } from "../../table/route-table.ts";
import { queryValue } from "../../exchange/query-value.ts";

const require = createRequire(import.meta.url);
let loaded: typeof GraphQL | undefined;

/** More than people's queries have; a request with more is none that a route could be found for by its operation. */
const MAX_TOKENS = 20_000;

/** What is known of a request besides its body. */
export interface GraphqlRequest {
  readonly method: string;
  readonly query: string;
  readonly contentType: string | undefined;
  /** `websocket`: the operations come later, and it is subscriptions that are sent so. */
  readonly upgrade?: string | undefined;
}

/**
 * What a request of GraphQL asks for: the operation that it names, or its only one. `none`: there is none, more than one without a
 * name, a batch, one in the body and another in the query, or nothing that can be read. Never throws.
 */
export function graphqlOperation(request: GraphqlRequest, body: Buffer): Operation | "none" {
  if (request.upgrade === "websocket") return { type: "subscription", name: "" };
  const byQuery = askedByQuery(request.query);
  // Servers do not agree which of the two they obey.
  if (request.method !== "GET" && byQuery !== undefined) return "none";
  const asked = request.method === "GET" ? byQuery : askedByBody(request.contentType, body);
  if (asked === undefined) return "none";
  loaded ??= require("graphql") as typeof GraphQL;
  let document: GraphQL.DocumentNode;
  try {
    document = loaded.parse(asked.text, { noLocation: true, maxTokens: MAX_TOKENS });
  } catch {
    // Whoever the request is for says what is wrong with it.
    return "none";
  }
  const { Kind } = loaded;
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const named = asked.name === "" ? operations : operations.filter((one) => one.name?.value === asked.name);
  const [operation] = named;
  if (operation === undefined || named.length > 1) return "none";
  return { type: operation.operation, name: operation.name?.value ?? "" };
}

interface Asked {
  readonly text: string;
  /** Empty: the only operation is meant. */
  readonly name: string;
}

function askedByQuery(query: string): Asked | undefined {
  const text = queryValue(query, "query");
  return text === undefined ? undefined : { text, name: queryValue(query, "operationName") ?? "" };
}

function askedByBody(contentType: string | undefined, body: Buffer): Asked | undefined {
  const text = body.toString();
  if (contentType?.startsWith("application/graphql") === true && !contentType.includes("json")) {
    return { text, name: "" };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // As above.
    return undefined;
  }
  if (!isObject(json)) return undefined;
  const query = getOwn(json, "query");
  const name = getOwn(json, "operationName");
  return typeof query === "string" ? { text: query, name: typeof name === "string" ? name : "" } : undefined;
}
