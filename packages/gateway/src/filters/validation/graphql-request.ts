import { getOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { bytesSource } from "../../exchange/bodies.ts";
import type { Answer } from "../../exchange/answer.ts";
import type { Call } from "../../pipeline/call.ts";
import { changedBody, readJson, saysJson } from "../transform/json-body.ts";
import { formatJson, isRecord, parseJsonText, withPlainNumbers } from "../transform/json-text.ts";
import { queryPairs } from "../../exchange/query-value.ts";
import { wholeBody } from "../whole-body.ts";

/** What a client asks, as GraphQL is spoken over HTTP. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: JsonObject;
}

/** Why a request is none that can be checked. */
export interface NotGraphql {
  readonly status: number;
  readonly message: string;
}

const MAX_BYTES = 1024 * 1024;
const SENT_ONCE: readonly string[] = ["query", "operationName", "variables"];

/**
 * Reads what is asked from the query of a GET or the body of a POST. What is read is what the backend gets: the body is written anew,
 * and places where backends might look first are refused. Batches are refused.
 */
export async function graphqlRequest(call: Call): Promise<GraphqlRequest | NotGraphql | { readonly answer: Answer }> {
  const pairs = queryPairs(call.query).filter(([name]) => SENT_ONCE.includes(name));
  if (call.head.method === "GET" || call.head.method === "HEAD") return fromQuery(pairs, call);
  if (pairs.length > 0) return { status: 400, message: "the operation has to be in the body" };
  if (call.body === undefined) return { status: 400, message: "there is no operation" };
  const { fields } = call.head;
  if (/^\s*application\/graphql\s*(?:;|$)/i.test(fields.get("content-type") ?? "")) {
    const bytes = fields.has("content-encoding") ? undefined : await wholeBody(call.body, MAX_BYTES, "request");
    if (bytes === undefined) return { status: 415, message: "the encoding of the body is not supported" };
    if (!Buffer.isBuffer(bytes)) return { answer: bytes };
    call.body = bytesSource(bytes);
    return { query: bytes.toString(), operationName: undefined, variables: {} };
  }
  if (!saysJson(fields)) return { status: 415, message: "the body has to be JSON" };
  const read = await readJson(call.body, fields, "request");
  if ("answer" in read) return read;
  if ("bytes" in read) return { status: 400, message: "the body is not JSON" };
  call.body = changedBody(Buffer.from(formatJson(read.json)), fields);
  return fromJson(read.json);
}

function fromQuery(pairs: readonly (readonly [string, string])[], call: Call): GraphqlRequest | NotGraphql {
  if (call.body !== undefined && call.body.length !== 0) return { status: 400, message: "GET has no body" };
  const values = new Map(pairs);
  if (values.size !== pairs.length) return { status: 400, message: "the operation is there twice" };
  let variables: Json = {};
  try {
    variables = parseJsonText(Buffer.from(values.get("variables") ?? "{}"));
  } catch {
    return { status: 400, message: "the variables are not JSON" };
  }
  return checked(values.get("query"), values.get("operationName") ?? null, variables);
}

function fromJson(body: Json): GraphqlRequest | NotGraphql {
  if (Array.isArray(body)) return { status: 400, message: "several operations in one request are not supported" };
  if (!isRecord(body)) return { status: 400, message: "there is no operation" };
  return checked(getOwn(body, "query"), getOwn(body, "operationName") ?? null, getOwn(body, "variables") ?? {});
}

function checked(query: Json | undefined, name: Json, variables: Json | null): GraphqlRequest | NotGraphql {
  if (typeof query !== "string" || query === "") return { status: 400, message: "there is no operation" };
  if (name !== null && typeof name !== "string") return { status: 400, message: "operationName has to be text" };
  if (!isRecord(variables ?? {})) return { status: 400, message: "variables have to be an object" };
  const operationName = name === null || name === "" ? undefined : name;
  return { query, operationName, variables: withPlainNumbers(variables ?? {}) as JsonObject };
}
