import { getOwn } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { Call } from "../../pipeline/call.ts";
import { queryValue } from "../../exchange/query-value.ts";
import { isRecord } from "./json-text.ts";

/** Reads one thing about a call; undefined when the call does not have it. */
export type CallSource = (call: Call) => Json | undefined;

/** What is said for people about the names that `callSource` knows. */
export const SOURCES =
  "header.<name>, query.<name>, path.<parameter>, cookie.<name>, claim.<name>, identity.<subject|method|roles|groups|scopes|permissions>, " +
  "client.<ip|port>, tls.<serverName|protocol>, request.<method|path|query|host|scheme>, route.<name|namespace>, listener, " +
  "context.<request_id|trace_id>";

const WHOLE: ReadonlyMap<string, CallSource> = new Map<string, CallSource>([
  ["method", (call) => call.head.method],
  ["path", (call) => call.path],
  ["query", (call) => call.query],
  ["host", (call) => call.head.authority],
  ["scheme", (call) => call.head.scheme],
  ["listener", (call) => call.listener],
  ["client.ip", (call) => call.clientAddress],
  ["client.port", (call) => call.client.port],
  ["tls.serverName", (call) => call.client.tls?.serverName],
  ["tls.protocol", (call) => call.client.tls?.protocol],
  ["route.name", (call) => call.route.name],
  ["route.namespace", (call) => call.route.namespace],
  ["identity.subject", (call) => call.identity?.subject],
  ["identity.method", (call) => call.identity?.method],
  ["identity.roles", (call) => list(call.identity?.roles)],
  ["identity.groups", (call) => list(call.identity?.groups)],
  ["identity.scopes", (call) => list(call.identity?.scopes)],
  ["identity.permissions", (call) => list(call.identity?.permissions)],
  ["context.request_id", (call) => call.head.fields.get("x-request-id")],
  ["context.trace_id", (call) => /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(call.head.fields.get("traceparent") ?? "")?.[1]],
]);

/**
 * The source of a name such as `header.x-user` or `claim.sub`, or undefined when there is none of this name. `headers`, `metadata`,
 * `claims` and `jwt.claim` are other names of theirs. A claim with dots in its name is found before a claim inside a claim.
 */
export function callSource(name: string): CallSource | undefined {
  const whole = WHOLE.get(name.startsWith("request.") ? name.slice("request.".length) : name);
  if (whole !== undefined) return whole;
  const dot = name.indexOf(".");
  if (dot === -1 || dot === name.length - 1) return undefined;
  const rest = name.slice(dot + 1);
  switch (name.slice(0, dot)) {
    case "header":
    case "headers":
    case "metadata": {
      const field = rest.toLowerCase();
      return (call) => call.head.fields.get(field);
    }
    case "query":
      return (call) => queryValue(call.query, rest);
    case "path":
      return (call) => call.parameters.get(rest);
    case "cookie":
      return (call) => cookie(call, rest);
    case "claim":
    case "claims":
      return (call) => claim(call, rest);
    case "jwt":
      return (call) => claim(call, rest.startsWith("claim.") ? rest.slice("claim.".length) : rest);
    default:
      return undefined;
  }
}

/** A value as text for a header field or a key: strings as they are, lists with commas, everything else as JSON. */
export function asText(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  return JSON.stringify(value);
}

function claim(call: Call, name: string): Json | undefined {
  const claims = call.identity?.claims;
  if (claims === undefined) return undefined;
  if (claims.has(name)) return claims.get(name) as Json | undefined;
  const [first = "", ...rest] = name.split(".");
  let at = claims.get(first) as Json | undefined;
  for (const key of rest) at = isRecord(at) ? getOwn(at, key) : undefined;
  return at;
}

function cookie(call: Call, name: string): string | undefined {
  for (const value of call.head.fields.all("cookie"))
    for (const pair of value.split(";")) {
      const at = pair.indexOf("=");
      if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
    }
  return undefined;
}

function list(values: readonly string[] | undefined): Json | undefined {
  return values === undefined ? undefined : [...values];
}
