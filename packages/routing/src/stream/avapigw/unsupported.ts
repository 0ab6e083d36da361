import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import { getPath } from "@gatewright/kube";
import { isFilled } from "./spec-parts.ts";
import type { FieldRemark } from "./spec-parts.ts";

const HTTP: readonly ObjectKind[] = ["APIRoute"];
const GRPC: readonly ObjectKind[] = ["GRPCRoute"];
const GRAPHQL: readonly ObjectKind[] = ["GraphQLRoute"];
const NOT_HTTP: readonly ObjectKind[] = [...GRPC, ...GRAPHQL];
const ROUTES: readonly ObjectKind[] = [...HTTP, ...NOT_HTTP];
const BACKENDS: readonly ObjectKind[] = ["Backend", "GRPCBackend", "GraphQLBackend"];

/**
 * What gateways of AVAPIGW do nothing about. What keeps somebody out, or something in, holds the object back when it is set: it is
 * better not served than served without. The rest is left out, and said.
 */
const PROTECTIVE: readonly (readonly [kinds: readonly ObjectKind[], field: string, why?: string])[] = [
  [ROUTES, "hosts", "the route would take requests for every host"],
  [ROUTES, "tls.clientValidation", "clients would be let in without a certificate"],
  [ROUTES, "tls.sniHosts", "the route would take requests for every host"],
  [ROUTES, "authentication.mtls.allowedCNs"],
  [ROUTES, "authentication.mtls.allowedOUs"],
  [GRPC, "authorization"],
  [GRPC, "protoValidation"],
  [GRPC, "transform", "what it takes out of messages would stay in"],
  [GRAPHQL, "schemaValidation"],
  [GRAPHQL, "depthLimit"],
  [GRAPHQL, "complexityLimit"],
  [GRAPHQL, "allowedOperations"],
  [["GraphQLBackend"], "tls", "requests would go unencrypted"],
  [["GraphQLBackend"], "authentication", "requests would go without credentials"],
];

const WITHOUT_EFFECT: readonly (readonly [kinds: readonly ObjectKind[], field: string])[] = [
  [ROUTES, "retries"],
  [ROUTES, "mirror"],
  [ROUTES, "maxSessions"],
  [ROUTES, "compression"],
  [ROUTES, "tls"],
  [ROUTES, "rateLimit.key"],
  [HTTP, "fault"],
  [HTTP, "rewrite.authority"],
  [HTTP, "requestLimits.maxHeaderSize"],
  [GRAPHQL, "timeout"],
  [GRPC, "cors"],
  [GRPC, "headers"],
  [GRPC, "security"],
  [NOT_HTTP, "cache"],
  [NOT_HTTP, "requestLimits"],
  [NOT_HTTP, "encoding"],
  [BACKENDS, "circuitBreaker"],
  [BACKENDS, "outlierDetection"],
  [BACKENDS, "connectionPool"],
  [BACKENDS, "protocol"],
  [["GRPCBackend"], "tls.serverName"],
  [["GRPCBackend", "GraphQLBackend"], "maxSessions"],
  [["GraphQLBackend"], "healthCheck"],
];

/** What of a spec gateways of AVAPIGW cannot do. */
export function unsupported(kind: ObjectKind, spec: JsonObject): FieldRemark[] {
  const remarks: FieldRemark[] = [];
  for (const [kinds, field, why = "what it forbids would be let through"] of PROTECTIVE)
    if (kinds.includes(kind) && isOn(spec, field))
      remarks.push({ refused: true, field: `spec.${field}`, message: `gateways of AVAPIGW do not enforce it: ${why}` });
  if (kind === "GraphQLRoute" && spec["introspectionEnabled"] === false)
    remarks.push({
      refused: true,
      field: "spec.introspectionEnabled",
      message: "gateways of AVAPIGW do not enforce it: what it forbids would be let through",
    });
  for (const [kinds, field] of WITHOUT_EFFECT)
    if (kinds.includes(kind) && isOn(spec, field) && !remarks.some((other) => other.field.startsWith(`spec.${field}`)))
      remarks.push({ refused: false, field: `spec.${field}`, message: "does nothing on gateways of AVAPIGW" });
  return remarks;
}

/** Whether something is set, and not switched off where it has a switch. */
function isOn(spec: JsonObject, field: string): boolean {
  const path = field.split(".");
  const found = getPath(spec, ...path);
  if (!isFilled(found)) return false;
  return path.every((_, depth) => getPath(spec, ...path.slice(0, depth + 1), "enabled") !== false);
}
