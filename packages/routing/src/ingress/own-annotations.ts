import type { Json, JsonObject } from "@gatewright/kube";
import { asDuration, asFields, asFlag, asList, asNumber, asOneOf, asText, put } from "./annotation-values.ts";
import type { Read } from "./annotation-values.ts";

/** Where an annotation's value goes. `only`: it means nothing on Ingresses of the other protocol. */
export interface AnnotationRule {
  readonly to: "route" | "backend";
  readonly path: readonly string[];
  readonly read: Read;
  readonly only?: "http" | "grpc";
}

const route = (path: string, read: Read, only?: "http" | "grpc"): AnnotationRule => ({
  to: "route",
  path: path.split("."),
  read,
  ...(only !== undefined && { only }),
});
const backend = (path: string, read: Read, only?: "http" | "grpc"): AnnotationRule => ({
  ...route(path, read, only),
  to: "backend",
});

const ALGORITHMS = asOneOf("roundRobin", "weighted", "leastConn", "random", "leastRequest", "consistentHash");
const count = asNumber(0);
const some = asNumber(1);

/** Blocks that hold only when they are switched on. */
const SWITCHED = [
  ["rateLimit", "route"],
  ["security", "route"],
  ["cache", "route"],
  ["maxSessions", "route"],
  ["circuitBreaker", "backend"],
] as const;

/** Annotations with the prefix `avapigw.io/`, by the rest of their names. Aliases that users know from samples are among them. */
export const OWN_ANNOTATIONS: ReadonlyMap<string, AnnotationRule> = new Map([
  ["timeout", route("timeout", asDuration)],
  ["retry-attempts", route("retries.attempts", asNumber(1, 10))],
  ["retries", route("retries.attempts", asNumber(1, 10))],
  ["retry-per-try-timeout", route("retries.perTryTimeout", asDuration)],
  ["retry-on", route("retries.retryOn", asText)],
  ["grpc-retry-on", route("retries.retryOn", asText, "grpc")],
  ["grpc-backoff-base-interval", route("retries.backoffBaseInterval", asDuration, "grpc")],
  ["grpc-backoff-max-interval", route("retries.backoffMaxInterval", asDuration, "grpc")],
  ["rate-limit-enabled", route("rateLimit.enabled", asFlag)],
  ["rate-limit-rps", route("rateLimit.requestsPerSecond", some)],
  ["rate-limit-burst", route("rateLimit.burst", some)],
  ["rate-limit-per-client", route("rateLimit.perClient", asFlag)],
  ["cors-allow-origins", route("cors.allowOrigins", asList)],
  ["cors-allow-methods", route("cors.allowMethods", asList)],
  ["cors-allow-headers", route("cors.allowHeaders", asList)],
  ["cors-expose-headers", route("cors.exposeHeaders", asList)],
  ["cors-max-age", route("cors.maxAge", count)],
  ["cors-allow-credentials", route("cors.allowCredentials", asFlag)],
  ["rewrite-uri", route("rewrite.uri", asText, "http")],
  ["rewrite-authority", route("rewrite.authority", asText, "http")],
  ["strip-prefix", route("rewrite.uri", (text) => (asFlag(text) === true ? "/" : null), "http")],
  ["redirect-uri", route("redirect.uri", asText, "http")],
  ["redirect-code", route("redirect.code", asOneOf(301, 302, 303, 307, 308), "http")],
  ["redirect-scheme", route("redirect.scheme", asOneOf("http", "https"), "http")],
  ["request-headers-add", route("headers.request.add", asFields)],
  ["request-headers-remove", route("headers.request.remove", asList)],
  ["response-headers-add", route("headers.response.add", asFields)],
  ["tls-min-version", route("tls.minVersion", asOneOf("TLS12", "TLS13"))],
  ["tls-max-version", route("tls.maxVersion", asOneOf("TLS12", "TLS13"))],
  ["security-enabled", route("security.enabled", asFlag)],
  ["security-x-frame-options", route("security.headers.xFrameOptions", asText)],
  ["security-x-content-type-options", route("security.headers.xContentTypeOptions", asText)],
  ["security-x-xss-protection", route("security.headers.xXSSProtection", asText)],
  ["encoding-request-content-type", route("encoding.request.contentType", asText, "http")],
  ["encoding-response-content-type", route("encoding.response.contentType", asText, "http")],
  ["cache-enabled", route("cache.enabled", asFlag)],
  ["cache-ttl", route("cache.ttl", asDuration)],
  ["max-sessions-enabled", route("maxSessions.enabled", asFlag)],
  ["max-sessions-max-concurrent", route("maxSessions.maxConcurrent", some)],
  ["max-sessions-queue-size", route("maxSessions.queueSize", count)],
  ["max-sessions-queue-timeout", route("maxSessions.queueTimeout", asDuration)],
  ["max-body-size", route("requestLimits.maxBodySize", count)],
  ["health-check-path", backend("healthCheck.path", asText, "http")],
  ["health-check-interval", backend("healthCheck.interval", asDuration, "http")],
  ["health-check-timeout", backend("healthCheck.timeout", asDuration, "http")],
  ["health-check-healthy-threshold", backend("healthCheck.healthyThreshold", some, "http")],
  ["health-check-unhealthy-threshold", backend("healthCheck.unhealthyThreshold", some, "http")],
  ["grpc-health-check-enabled", backend("healthCheck.enabled", asFlag, "grpc")],
  ["grpc-health-check-service", backend("healthCheck.service", asText, "grpc")],
  ["grpc-health-check-interval", backend("healthCheck.interval", asDuration, "grpc")],
  ["grpc-health-check-timeout", backend("healthCheck.timeout", asDuration, "grpc")],
  ["grpc-health-check-healthy-threshold", backend("healthCheck.healthyThreshold", some, "grpc")],
  ["grpc-health-check-unhealthy-threshold", backend("healthCheck.unhealthyThreshold", some, "grpc")],
  ["grpc-max-idle-conns", backend("connectionPool.maxIdleConns", some, "grpc")],
  ["grpc-max-conns-per-host", backend("connectionPool.maxConnsPerHost", some, "grpc")],
  ["grpc-idle-conn-timeout", backend("connectionPool.idleConnTimeout", asDuration, "grpc")],
  ["load-balancer-algorithm", backend("loadBalancer.algorithm", ALGORITHMS)],
  ["load-balancer", backend("loadBalancer.algorithm", ALGORITHMS)],
  ["circuit-breaker-enabled", backend("circuitBreaker.enabled", asFlag)],
  ["circuit-breaker-threshold", backend("circuitBreaker.threshold", some)],
  ["circuit-breaker-timeout", backend("circuitBreaker.timeout", asDuration)],
  ["circuit-breaker-half-open", backend("circuitBreaker.halfOpenRequests", some)],
]);

/** Understood elsewhere, or without effect because it is always so, or written by the operator that was there before. */
export const KNOWN_OTHERWISE: ReadonlySet<string> = new Set([
  "protocol",
  "grpc-service",
  "grpc-service-match-type",
  "grpc-method",
  "grpc-method-match-type",
  "websocket",
  "applied-routes",
  "observed-generation",
]);

/** What the values mean together: a block that was not switched on, or lacks what it needs to be one, is none. */
export function tidied(route: JsonObject, backend: JsonObject): void {
  for (const [block, of] of SWITCHED) {
    const object = of === "route" ? route : backend;
    const value = object[block];
    if (value !== undefined && (value as JsonObject)["enabled"] !== true) delete object[block];
  }
  if ((route["rewrite"] as JsonObject | undefined)?.["uri"] === null) delete (route["rewrite"] as JsonObject)["uri"];
  without(route, "rewrite", "uri", "authority");
  without(route, "cors", "allowOrigins");
  without(route, "redirect", "uri", "scheme");
  const limit = route["rateLimit"] as JsonObject | undefined;
  const rate = limit?.["requestsPerSecond"];
  if (limit !== undefined && limit["burst"] === undefined && rate !== undefined)
    put(route, ["rateLimit", "burst"], rate);
}

function without(object: JsonObject, block: string, ...needs: readonly string[]): void {
  const value: Json | undefined = object[block];
  if (value !== undefined && !needs.some((need) => Object.hasOwn(value as JsonObject, need))) delete object[block];
}
