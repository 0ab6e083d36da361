import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json, JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { APIRoute } from "./api-route.ts";
import { Backend } from "./backend.ts";
import { GraphQLBackend } from "./graphql-backend.ts";
import { GraphQLRoute } from "./graphql-route.ts";
import { GRPCBackend } from "./grpc-backend.ts";
import { GRPCRoute } from "./grpc-route.ts";
import { admit } from "./testing/admission.ts";

const route = [{ destination: { host: "a", port: 80 } }];
const hosts = [{ address: "a", port: 80 }];
const LEAST = new Map<ResourceDefinition, JsonObject>([
  [APIRoute, { route }],
  [GRPCRoute, { route, match: [{ service: { exact: "*" } }] }],
  [GraphQLRoute, { route }],
  [Backend, { hosts }],
  [GRPCBackend, { hosts }],
  [GraphQLBackend, { hosts }],
]);
const OPA = { url: "http://opa/v1/data/a" };
const SENTINEL = { masterName: "m", sentinelAddrs: ["s:26379"] };
const target = (name: string) => ({ name, destination: { host: name, port: 80 } });
const on = (block: JsonObject): JsonObject => ({ enabled: true, ...block });
const matching = (...blocks: Json[]): JsonObject => ({ match: blocks });
const limit = (block: JsonObject): JsonObject => ({
  rateLimit: { enabled: true, requestsPerSecond: 1, burst: 1, ...block },
});

interface Case {
  readonly what: string;
  readonly kind: ResourceDefinition;
  /** Laid over the least spec of the kind. */
  readonly bad: JsonObject;
  readonly why: RegExp;
  /** What the message leads to. */
  readonly good: JsonObject;
}

const of = (kind: ResourceDefinition, what: string, bad: JsonObject, why: RegExp, good: JsonObject): Case => ({
  kind,
  what,
  bad,
  why,
  good,
});
const CASES: readonly Case[] = [
  of(
    APIRoute,
    "a route that leads nowhere",
    { route: [] },
    /write route: where requests go; or redirect or directResponse/,
    { route: [], directResponse: { status: 200 } },
  ),
  of(GRPCRoute, "a gRPC route without match", { match: [] }, /write match: which calls/, {}),
  of(GRPCRoute, "a match that says nothing", matching({}), /for all calls write service/, matching({ method: {} })),
  of(GRPCRoute, "a gRPC route that leads nowhere", { route: [] }, /write route/, {
    route: [],
    aggregate: on({ targets: [target("a")] }),
  }),
  of(GraphQLRoute, "a GraphQL route that leads nowhere", { route: [] }, /write route/, {}),
  of(
    APIRoute,
    "two ways of comparing",
    matching({ uri: { exact: "/a", prefix: "/b" } }),
    /at most one of exact, prefix or regex/,
    matching({ uri: { exact: "/a", prefix: "" } }),
  ),
  of(
    APIRoute,
    "an expression that RE2 cannot read",
    matching({ uri: { regex: "(?=a)" } }),
    /write a regular expression in RE2 syntax/,
    matching({ uri: { regex: "^/v[0-9]+/.*$" } }),
  ),
  of(
    APIRoute,
    "a method that is none",
    matching({ methods: ["FETCH"] }),
    /write one of GET, POST/,
    matching({ methods: ["get", "*"] }),
  ),
  of(
    APIRoute,
    "a header that is there and is not",
    matching({ headers: [{ name: "a", present: true, absent: true }] }),
    /present and absent cannot both be true/,
    matching({ headers: [{ name: "a", present: true, absent: false }] }),
  ),
  of(
    APIRoute,
    "a header's name with a space",
    matching({ headers: [{ name: "a b" }] }),
    /names of headers are letters/,
    matching({ headers: [{ name: "x-a" }] }),
  ),
  of(
    APIRoute,
    "a parameter compared in two ways",
    matching({ queryParams: [{ name: "a", exact: "1", regex: "1" }] }),
    /at most one of exact or regex/,
    matching({ queryParams: [{ name: "a", regex: "1" }] }),
  ),
  of(APIRoute, "a host with a port", { hosts: ["a.example.com:80"] }, /no scheme, no port/, {
    hosts: ["*.example.com", "Example.com"],
  }),
  of(
    APIRoute,
    "retries for an unknown reason",
    { retries: { retryOn: "5xx, sometimes" } },
    /write a comma-separated list of 5xx/,
    { retries: { retryOn: "5xx, reset" } },
  ),
  of(
    GRPCRoute,
    "retries for an unknown status",
    { retries: { retryOn: "5xx" } },
    /write a comma-separated list of canceled/,
    {
      retries: { retryOn: "cancelled,unavailable" },
    },
  ),
  of(
    APIRoute,
    "a queue without an end",
    { maxSessions: on({ maxConcurrent: 1, queueSize: 5 }) },
    /queueSize needs queueTimeout/,
    {
      maxSessions: on({ maxConcurrent: 1, queueSize: 5, queueTimeout: "1s" }),
    },
  ),
  of(APIRoute, "a Redis that is not asked", limit({ redis: { url: "redis://a" } }), /the redis block is for store/, {}),
  of(
    APIRoute,
    "counting in a Redis that is nowhere",
    limit({ store: "redis" }),
    /needs redis.url or redis.sentinel/,
    limit({ store: "redis", redis: { url: "redis://a" } }),
  ),
  of(
    APIRoute,
    "a Redis at two places",
    limit({ store: "redis", redis: { url: "redis://a", sentinel: SENTINEL } }),
    /set url or sentinel, not both/,
    limit({ store: "redis", redis: { sentinel: SENTINEL } }),
  ),
  of(
    APIRoute,
    "limits by two keys",
    limit({ key: { header: "a", claim: "b" } }),
    /exactly one of header, query or claim/,
    limit({ key: { claim: "sub" } }),
  ),
  of(APIRoute, "a cache's Redis that is not asked", { cache: on({ redis: { url: "redis://a" } }) }, /for type redis/, {
    cache: on({ type: "redis", redis: { url: "redis://a" } }),
  }),
  of(APIRoute, "a certificate without key", { tls: { certFile: "c" } }, /certFile and keyFile go together/, {}),
  of(
    APIRoute,
    "versions in the wrong order",
    { tls: { minVersion: "TLS13", maxVersion: "TLS12" } },
    /minVersion is at most/,
    { tls: { minVersion: "TLS12", maxVersion: "TLS13" } },
  ),
  of(APIRoute, "a half Vault", { tls: { vault: on({ role: "r" }) } }, /need pkiMount, role and commonName/, {
    tls: { vault: on({ role: "r", pkiMount: "pki", commonName: "a" }) },
  }),
  of(APIRoute, "clients checked against nothing", { tls: { clientValidation: on({}) } }, /needs caFile/, {
    tls: { clientValidation: on({ caFile: "ca" }) },
  }),
  of(APIRoute, "authentication by no way", { authentication: on({}) }, /enable one of jwt, apiKey/, {
    authentication: on({ allowAnonymous: true }),
  }),
  of(APIRoute, "tokens without key", { authentication: on({ jwt: on({}) }) }, /jwksUrl, publicKey or secret/, {
    authentication: on({ jwt: on({ jwksUrl: "https://a/jwks" }) }),
  }),
  of(APIRoute, "OpenID without provider", { authentication: { oidc: on({}) } }, /write at least one of providers/, {}),
  of(
    APIRoute,
    "a password in clear",
    { authentication: on({ basic: on({ users: [{ username: "a", passwordHash: "secret" }] }) }) },
    /never the password itself/,
    {
      authentication: on({
        basic: on({ users: [{ username: "a", passwordHash: `sha256:${"0".repeat(64)}` }] }),
      }),
    },
  ),
  of(
    APIRoute,
    "a key's hash of another kind",
    { authentication: on({ apiKey: on({ hashAlgorithm: "sha512", keys: [{ name: "a", hash: "0".repeat(64) }] }) }) },
    /128 \(sha512\)/,
    { authentication: on({ apiKey: on({ keys: [{ name: "a", hash: "0".repeat(64), roles: ["r"] }] }) }) },
  ),
  of(APIRoute, "authorization by nobody", { authorization: on({}) }, /enable one of rbac, abac, external/, {
    authorization: on({ external: on({ opa: OPA }) }),
  }),
  of(APIRoute, "an agent without address", { authorization: { external: on({}) } }, /write opa.url/, {}),
  of(
    APIRoute,
    "decisions kept at two places",
    {
      authorization: on({
        external: on({ opa: OPA }),
        cache: on({ type: "redis", redis: {}, sentinel: SENTINEL }),
      }),
    },
    /write redis.sentinel in place of sentinel/,
    { authorization: on({ external: on({ opa: OPA }), cache: on({ type: "redis", sentinel: SENTINEL }) }) },
  ),
  of(
    APIRoute,
    "fields that stay and go",
    { transform: { response: { allowFields: ["a"], denyFields: ["b"] } } },
    /set allowFields or denyFields, not both/,
    { transform: { response: { allowFields: ["a"], denyFields: [] } } },
  ),
  of(
    APIRoute,
    "a filter without condition",
    { transform: { response: { arrayOperations: [{ field: "a", operation: "filter" }] } } },
    /filter needs condition/,
    { transform: { response: { arrayOperations: [{ field: "a", operation: "limit", value: 3 }] } } },
  ),
  of(
    APIRoute,
    "two targets of one name",
    { aggregate: on({ targets: [target("a"), target("a")] }) },
    /each target has a name of its own/,
    { aggregate: on({ targets: [target("a"), target("b")] }) },
  ),
  of(
    APIRoute,
    "a quorum of more than all",
    { aggregate: on({ targets: [target("a")], failMode: "quorum", quorumCount: 2 }) },
    /at most the number of targets/,
    { aggregate: on({ targets: [target("a"), target("b")], failMode: "quorum", quorumCount: 2 }) },
  ),
  of(
    APIRoute,
    "a spool in no Redis",
    { aggregate: on({ targets: [target("a")], spool: on({ backend: "redis" }) }) },
    /needs redisRef with address or sentinel/,
    { aggregate: on({ targets: [target("a")], spool: on({ backend: "redis", redisRef: { address: "r:1" } }) }) },
  ),
  of(APIRoute, "a check against nothing", { openAPIValidation: on({}) }, /specFile, specURL, specInline/, {
    openAPIValidation: on({ specConfigMapRef: { name: "a" } }),
  }),
  of(APIRoute, "a document that is no address", { openAPIValidation: on({ specURL: "ftp://a" }) }, /such as https/, {
    openAPIValidation: on({ specURL: "https://a/b" }),
  }),
  of(APIRoute, "CORS for a method that is none", { cors: { allowMethods: ["FETCH"] } }, /write one of GET, POST/, {
    cors: { allowMethods: ["GET"] },
  }),
  of(GRPCRoute, "messages checked against nothing", { protoValidation: on({}) }, /descriptorFile, descriptorInline/, {
    protoValidation: on({ descriptorInline: "aaaa" }),
  }),
  of(GraphQLRoute, "documents checked against nothing", { schemaValidation: on({}) }, /schemaFile, schemaInline/, {
    schemaValidation: on({ schemaInline: "type Query { a: Int }" }),
  }),
  of(GraphQLRoute, "an operation that is none", { allowedOperations: ["read"] }, /write one of query, mutation/, {
    allowedOperations: ["Query"],
  }),
  of(Backend, "a health check of nothing", { healthCheck: {} }, /write path: what is asked for; or tcp: true/, {
    healthCheck: { tcp: true },
  }),
  of(Backend, "mutual TLS without certificate", { tls: on({ mode: "MUTUAL" }) }, /mode MUTUAL needs a certificate/, {
    tls: on({ mode: "MUTUAL", certFile: "c", keyFile: "k" }),
  }),
  of(Backend, "a type without its block", { authentication: { type: "jwt" } }, /write the block that type names/, {
    authentication: { type: "basic", basic: on({ username: "a", password: "b" }) },
  }),
  of(
    Backend,
    "a token from nowhere",
    { authentication: { type: "jwt", jwt: on({ tokenSource: "vault" }) } },
    /vault needs vaultPath/,
    { authentication: { type: "jwt", jwt: on({ tokenSource: "static", staticToken: "t" }) } },
  ),
  of(
    Backend,
    "a name without password",
    { authentication: { type: "basic", basic: on({ username: "a" }) } },
    /write username and password, or vaultPath/,
    { authentication: { type: "basic", basic: on({ vaultPath: "p" }) } },
  ),
  of(Backend, "a certificate of nobody", { authentication: { type: "mtls", mtls: on({}) } }, /certFile and keyFile/, {
    authentication: { type: "mtls", mtls: on({ certFile: "c", keyFile: "k" }) },
  }),
  of(
    Backend,
    "a hash of two things",
    { loadBalancer: { algorithm: "consistentHash", consistentHash: { header: "a", cookie: "b" } } },
    /exactly one of header, cookie, query or sourceAddress/,
    { loadBalancer: { algorithm: "consistentHash", consistentHash: { sourceAddress: true } } },
  ),
  of(Backend, "a sticky block for another algorithm", { loadBalancer: { sticky: {} } }, /is for algorithm sticky/, {
    loadBalancer: { algorithm: "sticky", sticky: { cookieName: "a", ttl: "1h" } },
  }),
  of(Backend, "a breaker that never closes", { circuitBreaker: on({ threshold: 1, timeout: "0s" }) }, /above 0s/, {
    circuitBreaker: on({ threshold: 1, timeout: "1s" }),
  }),
  of(Backend, "checks without a pause", { healthCheck: { path: "/up", interval: "0s" } }, /interval is above 0s/, {
    healthCheck: { path: "/up", interval: "20ms" },
  }),
  of(GRPCBackend, "checks that nobody can pass", { healthCheck: { timeout: "0s" } }, /timeout is above 0s/, {
    healthCheck: { enabled: false, timeout: "0s" },
  }),
  of(Backend, "hosts that come back at once", { outlierDetection: on({ baseEjectionTime: "0s" }) }, /above 0s/, {
    outlierDetection: { baseEjectionTime: "0s" },
  }),
  of(Backend, "looking all the time", { outlierDetection: on({ interval: "0s" }) }, /interval is above 0s/, {
    outlierDetection: on({ interval: "1s", baseEjectionTime: "1s" }),
  }),
  of(
    GRPCBackend,
    "a path that nobody asks for",
    { healthCheck: { httpPath: "/live" } },
    /httpPath and httpPort are for useHTTP: true/,
    { healthCheck: { httpPath: "/live", httpPort: 80, useHTTP: true } },
  ),
  of(GRPCBackend, "a path without slash", { healthCheck: { useHTTP: true, httpPath: "live" } }, /begins with \//, {
    healthCheck: { httpPath: "/healthz" },
  }),
  of(
    GraphQLBackend,
    "a Redis of a cache in memory",
    { cache: on({ sentinel: SENTINEL }) },
    /are for type redis: set type/,
    { cache: on({ type: "redis", sentinel: SENTINEL }) },
  ),
];

suite("what gateways would refuse is refused at once, with what to write", () => {
  for (const { what, kind, bad, why, good } of CASES) {
    test(`${kind.kind}: ${what}`, () => {
      assert.match(admit(kind, { ...LEAST.get(kind), ...bad }).errors.join("\n"), why);
      const { errors, unknown } = admit(kind, { ...LEAST.get(kind), ...good });
      assert.deepEqual([...errors, ...unknown], []);
    });
  }
});
