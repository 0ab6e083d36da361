import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { served } from "../testing/served.ts";

const TO = { route: [{ destination: { host: "10.0.0.1", port: 80 }, weight: 100 }] };

/** The one route of a spec, as far as `part` goes. */
function part(spec: JsonObject, ...path: readonly string[]): unknown {
  const { routes } = served({ ...TO, ...spec });
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], routes.at(-1));
}

const CLOSED = { status: 503, body: { inlineString: "this route is closed\n" } };

for (const [field, spec] of Object.entries<JsonObject>({
  "spec.authentication.basic": { authentication: { enabled: true, basic: { enabled: true } } },
  "spec.authentication.apiKey": { authentication: { enabled: true, apiKey: { enabled: true } } },
  "spec.authentication.jwt.jwksUrl": {
    authentication: { enabled: true, jwt: { enabled: true, jwksUrl: "https://issuer.test/keys" } },
  },
  "spec.authorization.abac": { authorization: { enabled: true, abac: { enabled: true } } },
  "spec.authorization.external": { authorization: { enabled: true, external: { enabled: true } } },
  "spec.rateLimit.key": {
    rateLimit: { enabled: true, requestsPerSecond: 1, burst: 1, key: { claim: "sub" } },
  },
  "spec.requestLimits.maxHeaderSize": { requestLimits: { maxHeaderSize: 100 } },
  "spec.openAPIValidation": { openAPIValidation: { enabled: true } },
  "spec.maxSessions": { maxSessions: { enabled: true, maxConcurrent: 1 } },
  "spec.tls.clientValidation.caFile": { tls: { clientValidation: { enabled: true, caFile: "/ca.pem" } } },
}))
  test(`${field}, which protects and cannot be had, closes the route and is told`, () => {
    const { routes, fields } = served({ ...TO, ...spec });
    assert.deepEqual(
      routes.map((route) => route["directResponse"]),
      [CLOSED],
    );
    assert.ok(fields.includes(field), fields.join(" "));
  });

test("what does not protect is told, and the route serves", () => {
  const { routes, fields } = served({ ...TO, cache: { enabled: true }, transform: { response: { template: "x" } } });
  assert.ok(routes[0]?.["route"] !== undefined);
  assert.deepEqual(fields, ["spec.cache", "spec.transform.response"]);
});

test("blocks that are not enabled say nothing", () => {
  const spec = { cache: { enabled: false }, authentication: { enabled: false, basic: { enabled: true } } };
  assert.deepEqual(served({ ...TO, ...spec }).fields, []);
});

test("a backend that cannot be had closes the routes to it", () => {
  const { routes, fields } = served(TO, "APIRoute", { closed: "why" });
  assert.deepEqual(routes[0]?.["directResponse"], CLOSED);
  assert.deepEqual(fields, ["spec.route"]);
});

test("strict transport security is told over TLS only", () => {
  const { routes, secureRoutes } = served({ ...TO, security: { enabled: true, hsts: { enabled: true, maxAge: 5 } } });
  assert.equal(routes[0]?.["responseHeadersToAdd"], undefined);
  assert.match(JSON.stringify(secureRoutes[0]?.["responseHeadersToAdd"]), /strict-transport-security.*max-age=5/u);
});

test("percent signs in headers stand for themselves", () => {
  const added = part({ headers: { request: { set: { "X-A": "100%" } } } }, "requestHeadersToAdd");
  assert.match(JSON.stringify(added), /"x-a","value":"100%%"/u);
});

test("a rate is filled in no faster than Envoy can, and as often as it says", () => {
  const limit = (requestsPerSecond: number): unknown =>
    part(
      { rateLimit: { enabled: true, requestsPerSecond, burst: 7 } },
      "typedPerFilterConfig",
      "envoy.filters.http.local_ratelimit",
      "tokenBucket",
    );
  assert.deepEqual(limit(1), { maxTokens: 7, tokensPerFill: 1, fillInterval: "1s" });
  assert.deepEqual(limit(1000), { maxTokens: 7, tokensPerFill: 50, fillInterval: "0.050s" });
});

test("paths that need no authentication have a route of their own, without it", () => {
  const authentication = { enabled: true, skipPaths: ["/healthz"], jwt: { enabled: true, secret: "x".repeat(32) } };
  const { routes } = served({ ...TO, authentication });
  const demanded = routes.map((route) => Object.keys((route["typedPerFilterConfig"] as object | undefined) ?? {}));
  assert.deepEqual(demanded, [[], ["envoy.filters.http.jwt_authn"]]);
});

test("calls have a deadline for the whole stream, requests a timeout", () => {
  assert.equal(part({ timeout: "5s" }, "route", "timeout"), "5s");
  const match = [{ service: { exact: "a.A" } }];
  const [call] = served({ ...TO, match, timeout: "5s" }, "GRPCRoute").routes;
  const action = call?.["route"] as JsonObject | undefined;
  assert.deepEqual(action?.["maxStreamDuration"], { maxStreamDuration: "5s" });
});

test("conditions of retries that Envoy does not have are told", () => {
  const retries = { attempts: 2, retryOn: "5xx,retriable-headers,418" };
  assert.equal(part({ retries }, "route", "retryPolicy", "retryOn"), "5xx,retriable-status-codes");
  assert.deepEqual(served({ ...TO, retries }).fields, ["spec.retries.retryOn"]);
});

test("GraphQL that depends on the operation is closed", () => {
  const { routes, fields } = served({ ...TO, match: [{ operationType: "query" }] }, "GraphQLRoute");
  assert.deepEqual(routes[0]?.["directResponse"], CLOSED);
  assert.deepEqual(fields, ["spec.match[0].operationType"]);
});
