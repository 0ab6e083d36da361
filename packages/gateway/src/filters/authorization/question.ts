import { setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Call, Identity } from "../../pipeline/call.ts";
import { isGrpcCall } from "../../pipeline/is-grpc-call.ts";
import { ANONYMOUS } from "../authentication/anonymous.ts";

/** May this identity do this with that? */
export interface Question {
  readonly call: Call;
  readonly identity: Identity;
  /** The path. */
  readonly resource: string;
  /** The method; of a call of a GRPCRoute, what comes last in its path. */
  readonly action: string;
}

/** What a policy says, if it says anything. */
export type Decision = "allow" | "deny";

/** Credentials are nobody's business but authentication's. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
  "x-auth-token",
]);

/** What names one request and says nothing about it: with it no decision would ever be the same as another. */
const TRACES: ReadonlySet<string> = new Set([
  "traceparent",
  "tracestate",
  "x-request-id",
  "x-correlation-id",
  "x-amzn-trace-id",
  "x-cloud-trace-context",
  "b3",
]);

/** The question that a call asks. Without an identity it is an anonymous one. */
export function questionOf(call: Call): Question {
  const { path, head, identity = ANONYMOUS } = call;
  const action = isGrpcCall(call) ? path.slice(path.lastIndexOf("/") + 1) : head.method;
  return { call, identity, resource: path, action };
}

/**
 * The identity as policies see it. Claims stand beside what was made of them, and never in its place: a token cannot say that its `id`
 * is another.
 */
export function subjectAttributes({ identity }: Question): JsonObject {
  const attributes: JsonObject = {};
  const claims: JsonObject = {};
  for (const [name, value] of identity.claims) {
    setOwn(claims, name, value as Json);
    setOwn(attributes, name, value as Json);
  }
  const email = identity.claims.get("email");
  const own: readonly (readonly [string, Json])[] = [
    ["id", identity.subject],
    ["method", identity.method],
    ["roles", [...identity.roles]],
    ["groups", [...identity.groups]],
    ["permissions", [...identity.permissions]],
    ["scopes", [...identity.scopes]],
    ["email", typeof email === "string" ? email : ""],
    ["claims", claims],
  ];
  for (const [name, value] of own) setOwn(attributes, name, value);
  return attributes;
}

/** The request as policies see it, without credentials and names of traces. Fields that come several times are joined. */
export function requestAttributes({ call, action }: Question): JsonObject {
  const { head } = call;
  const headers: JsonObject = {};
  for (const [name] of head.fields) if (!isLeftOut(name)) setOwn(headers, name, head.fields.all(name).join(", "));
  const parameters: JsonObject = {};
  for (const [name, value] of call.parameters) setOwn(parameters, name, value);
  return {
    method: head.method,
    action,
    path: call.path,
    query: call.query,
    host: head.authority,
    scheme: head.scheme,
    protocol: head.version,
    client_ip: call.clientAddress,
    remote_addr: call.client.address,
    user_agent: head.fields.get("user-agent") ?? "",
    grpc: isGrpcCall(call),
    headers,
    parameters,
  };
}

function isLeftOut(name: string): boolean {
  return CREDENTIALS.has(name) || TRACES.has(name) || name.startsWith("x-b3-");
}
