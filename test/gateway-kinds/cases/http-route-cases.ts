import type { Json, JsonObject } from "@gatewright/kube";
import { HTTPRoute } from "@gatewright/resources";
import { casesOf, times } from "./case.ts";
import type { Case, Line } from "./case.ts";

const rule = (...rules: JsonObject[]): JsonObject => ({ parentRefs: [{ name: "edge" }], rules });
const path = (value: string, type = "PathPrefix"): JsonObject => rule({ matches: [{ path: { type, value } }] });
const filters = (...list: Json[]): JsonObject => rule({ filters: list });
const backends = (...backendRefs: Json[]): JsonObject => rule({ backendRefs });
const prefix = { type: "ReplacePrefixMatch", replacePrefixMatch: "/b" };
const redirect = (requestRedirect: JsonObject): JsonObject => ({ type: "RequestRedirect", requestRedirect });
const rewrite = (urlRewrite: JsonObject): JsonObject => ({ type: "URLRewrite", urlRewrite });
const requestHeaders = (requestHeaderModifier: JsonObject): JsonObject => ({
  type: "RequestHeaderModifier",
  requestHeaderModifier,
});
const mirror = (requestMirror: JsonObject): JsonObject => ({ type: "RequestMirror", requestMirror });
const cors = (settings: JsonObject): JsonObject => ({ type: "CORS", cors: settings });
const service = { name: "shop", port: 80 };
const inRule = "spec.rules[0]";
const inFilter = `${inRule}.filters[0]`;
const inPath = `${inRule}.matches[0].path`;

const parents: Line[] = [
  ["nothing at all", {}],
  ["no spec", null, "spec"],
  ["a parent by name", { parentRefs: [{ name: "edge" }] }],
  ["a parent without name", { parentRefs: [{}] }, "spec.parentRefs[0].name"],
  ["a parent with an empty name", { parentRefs: [{ name: "" }] }, "spec.parentRefs[0].name"],
  ["two sections of a parent", { parentRefs: times(2, (n) => ({ name: "edge", sectionName: `s${n}` })) }],
  ["one section twice", { parentRefs: times(2, () => ({ name: "edge", sectionName: "a" })) }, "spec.parentRefs"],
  ["a parent twice", { parentRefs: [{ name: "edge" }, { name: "edge" }] }, "spec.parentRefs"],
  [
    "a section beside the whole",
    { parentRefs: [{ name: "edge" }, { name: "edge", sectionName: "a" }] },
    "spec.parentRefs",
  ],
  ["one name in two namespaces", { parentRefs: [{ name: "edge", namespace: "a" }, { name: "edge" }] }],
  ["one name of two kinds", { parentRefs: [{ name: "edge", kind: "ListenerSet" }, { name: "edge" }] }],
  [
    "a parent twice by the default group",
    { parentRefs: [{ name: "e" }, { name: "e", group: "gateway.networking.k8s.io" }] },
    "spec.parentRefs",
  ],
  ["a namespace that is none", { parentRefs: [{ name: "edge", namespace: "A.b" }] }, "spec.parentRefs[0].namespace"],
  ["port 0", { parentRefs: [{ name: "edge", port: 0 }] }, "spec.parentRefs[0].port"],
  ["port 65536", { parentRefs: [{ name: "edge", port: 65_536 }] }, "spec.parentRefs[0].port"],
  ["32 parents", { parentRefs: times(32, (n) => ({ name: `e${n}` })) }],
  ["33 parents", { parentRefs: times(33, (n) => ({ name: `e${n}` })) }, "spec.parentRefs"],
  ["hostnames", { hostnames: ["a.example.com", "*.example.com", "localhost"] }],
  ["a hostname in capitals", { hostnames: ["Example.com"] }, "spec.hostnames[0]"],
  ["a wildcard in the middle", { hostnames: ["a.*.com"] }, "spec.hostnames[0]"],
  ["an empty hostname", { hostnames: [""] }, "spec.hostnames[0]"],
  ["17 hostnames", { hostnames: times(17, (n) => `h${n}.example.com`) }, "spec.hostnames"],
  ["no rules", { rules: [] }, "spec.rules"],
  ["17 rules", rule(...times(17, () => ({}))), "spec.rules"],
  ["rules that are a text", { rules: "all" }, "spec.rules"],
  ["128 matches", rule(...times(2, () => ({ matches: times(64, (n) => ({ path: { value: `/${n}` } })) })))],
  ["129 matches", rule(...times(2, () => ({ matches: times(64, () => ({})) })), {}), "spec.rules"],
  ["65 matches in a rule", rule({ matches: times(65, () => ({})) }), `${inRule}.matches`],
  ["no matches", rule({ matches: [] })],
  ["a name of a rule", rule({ name: "main" })],
  ["a name of a rule in capitals", rule({ name: "Main" }), `${inRule}.name`],
];

const matches: Line[] = [
  ["a path", path("/shop")],
  ["an exact path", path("/shop", "Exact")],
  ["an unknown type of path", path("/shop", "Suffix"), `${inPath}.type`],
  ["a path without slash", path("shop"), inPath],
  ["a path with two slashes", path("/a//b"), inPath],
  ["a path with a dot element", path("/a/./b"), inPath],
  ["a path that goes up", path("/a/../b"), inPath],
  ["a path that ends in dots", path("/a/.."), inPath],
  ["a path that ends in a dot", path("/a/."), inPath],
  ["an escaped slash", path("/a%2fb"), inPath],
  ["an escaped slash in capitals", path("/a%2Fb"), inPath],
  ["a fragment", path("/a#b"), inPath],
  ["an escape", path("/a%20b")],
  ["half an escape", path("/a%2"), inPath],
  ["a space", path("/a b"), inPath],
  ["an empty path", path(""), inPath],
  ["a regular expression of any form", path("a//b#", "RegularExpression")],
  ["a path that is too long", path(`/${"a".repeat(1024)}`), `${inPath}.value`],
  ["a path without value", rule({ matches: [{ path: { type: "Exact" } }] })],
  ["a path that is null", rule({ matches: [{ path: null }] })],
  ["a method", rule({ matches: [{ method: "GET" }] })],
  ["a method in small letters", rule({ matches: [{ method: "get" }] }), `${inRule}.matches[0].method`],
  ["a header", rule({ matches: [{ headers: [{ name: "x", value: "y" }] }] })],
  [
    "a header twice",
    rule({ matches: [{ headers: times(2, () => ({ name: "x", value: "y" })) }] }),
    `${inRule}.matches[0].headers[1]`,
  ],
  [
    "a header without value",
    rule({ matches: [{ headers: [{ name: "x" }] }] }),
    `${inRule}.matches[0].headers[0].value`,
  ],
  [
    "a header with a space",
    rule({ matches: [{ headers: [{ name: "x y", value: "y" }] }] }),
    `${inRule}.matches[0].headers[0].name`,
  ],
  ["a query parameter", rule({ matches: [{ queryParams: [{ name: "q", value: "1", type: "RegularExpression" }] }] })],
  [
    "an empty query value",
    rule({ matches: [{ queryParams: [{ name: "q", value: "" }] }] }),
    `${inRule}.matches[0].queryParams[0].value`,
  ],
];

const filterLines: Line[] = [
  ["a redirect", filters(redirect({ scheme: "https", statusCode: 301 }))],
  ["an empty redirect", filters(redirect({}))],
  ["a status that does not redirect", filters(redirect({ statusCode: 200 })), `${inFilter}.requestRedirect.statusCode`],
  ["a status as text", filters(redirect({ statusCode: "301" })), `${inFilter}.requestRedirect.statusCode`],
  ["a scheme that is not HTTP", filters(redirect({ scheme: "ftp" })), `${inFilter}.requestRedirect.scheme`],
  [
    "a redirect to a wildcard",
    filters(redirect({ hostname: "*.example.com" })),
    `${inFilter}.requestRedirect.hostname`,
  ],
  ["a redirect to a full path", filters(redirect({ path: { type: "ReplaceFullPath", replaceFullPath: "/" } }))],
  [
    "a full path that is missing",
    filters(redirect({ path: { type: "ReplaceFullPath" } })),
    `${inFilter}.requestRedirect.path`,
  ],
  [
    "a prefix for a full path",
    filters(redirect({ path: { type: "ReplaceFullPath", replacePrefixMatch: "/" } })),
    `${inFilter}.requestRedirect.path`,
  ],
  ["a redirect with a prefix, of all", filters(redirect({ path: prefix }))],
  [
    "a redirect with a prefix, of an exact path",
    rule({ matches: [{ path: { type: "Exact", value: "/a" } }], filters: [redirect({ path: prefix })] }),
    inRule,
  ],
  ["a redirect with a prefix, of two", rule({ matches: [{}, {}], filters: [redirect({ path: prefix })] }), inRule],
  ["a redirect with a prefix, of none", rule({ matches: [], filters: [redirect({ path: prefix })] }), inRule],
  ["a redirect beside backends", rule({ filters: [redirect({})], backendRefs: [service] }), inRule],
  ["a redirect beside an empty list of backends", rule({ filters: [redirect({})], backendRefs: [] })],
  ["a redirect beside a rewrite", filters(redirect({}), rewrite({ hostname: "a.b" })), `${inRule}.filters`],
  ["two redirects", filters(redirect({}), redirect({})), `${inRule}.filters`],
  ["two rewrites", filters(rewrite({}), rewrite({})), `${inRule}.filters`],
  [
    "a rewrite with a prefix, of an exact path",
    rule({ matches: [{ path: { type: "Exact", value: "/a" } }], filters: [rewrite({ path: prefix })] }),
    inRule,
  ],
  [
    "a rewrite with a prefix",
    rule({ matches: [{ path: { value: "/a" } }], filters: [rewrite({ path: prefix })], backendRefs: [service] }),
  ],
  ["a type without its field", filters({ type: "RequestRedirect" }), inFilter],
  ["a field of another type", filters({ type: "RequestRedirect", requestRedirect: {}, urlRewrite: {} }), inFilter],
  ["no type", filters({ requestRedirect: {} }), `${inFilter}.type`],
  ["an unknown type", filters({ type: "Delay" }), `${inFilter}.type`],
  [
    "headers",
    filters(requestHeaders({ set: [{ name: "a", value: "b" }], add: [{ name: "a", value: "b" }], remove: ["c"] })),
  ],
  [
    "a header that is set twice",
    filters(requestHeaders({ set: times(2, () => ({ name: "a", value: "b" })) })),
    `${inFilter}.requestHeaderModifier.set[1]`,
  ],
  [
    "a header that is removed twice",
    filters(requestHeaders({ remove: ["c", "c"] })),
    `${inFilter}.requestHeaderModifier.remove[1]`,
  ],
  [
    "17 headers",
    filters(requestHeaders({ remove: times(17, (n) => `h${n}`) })),
    `${inFilter}.requestHeaderModifier.remove`,
  ],
  [
    "an empty header value",
    filters(requestHeaders({ set: [{ name: "a", value: "" }] })),
    `${inFilter}.requestHeaderModifier.set[0].value`,
  ],
  ["two header modifiers", filters(requestHeaders({}), requestHeaders({})), `${inRule}.filters`],
  [
    "a modifier of answers",
    filters({ type: "ResponseHeaderModifier", responseHeaderModifier: { remove: ["server"] } }),
  ],
  ["a mirror", filters(mirror({ backendRef: service }))],
  ["two mirrors", filters(mirror({ backendRef: service }), mirror({ backendRef: service, percent: 5 }))],
  ["a mirror without port", filters(mirror({ backendRef: { name: "a" } })), `${inFilter}.requestMirror.backendRef`],
  ["a mirror without backend", filters(mirror({})), `${inFilter}.requestMirror.backendRef`],
  ["101 percent", filters(mirror({ backendRef: service, percent: 101 })), `${inFilter}.requestMirror.percent`],
  [
    "percent and fraction",
    filters(mirror({ backendRef: service, percent: 1, fraction: { numerator: 1 } })),
    `${inFilter}.requestMirror`,
  ],
  [
    "a fraction above one",
    filters(mirror({ backendRef: service, fraction: { numerator: 101 } })),
    `${inFilter}.requestMirror.fraction`,
  ],
  [
    "a fraction of nothing",
    filters(mirror({ backendRef: service, fraction: { numerator: 0, denominator: 0 } })),
    `${inFilter}.requestMirror.fraction.denominator`,
  ],
  [
    "an extension",
    filters({
      type: "ExtensionRef",
      extensionRef: { group: "gateway.k8s.aws", kind: "ListenerRuleConfiguration", name: "a" },
    }),
  ],
  [
    "an extension without group",
    filters({ type: "ExtensionRef", extensionRef: { kind: "A", name: "a" } }),
    `${inFilter}.extensionRef.group`,
  ],
  [
    "CORS",
    filters(
      cors({ allowOrigins: ["https://*.example.com:8443"], allowMethods: ["GET"], allowHeaders: ["x-a"], maxAge: 60 }),
    ),
  ],
  ["every origin", filters(cors({ allowOrigins: ["*"] }))],
  ["every origin and one", filters(cors({ allowOrigins: ["*", "https://a.com"] })), `${inFilter}.cors.allowOrigins`],
  ["every method and one", filters(cors({ allowMethods: ["*", "GET"] })), `${inFilter}.cors.allowMethods`],
  ["every header and one", filters(cors({ allowHeaders: ["*", "a"] })), `${inFilter}.cors.allowHeaders`],
  ["every header to be read, and one", filters(cors({ exposeHeaders: ["*", "a"] }))],
  ["an origin with a path", filters(cors({ allowOrigins: ["https://a.com/b"] })), `${inFilter}.cors.allowOrigins[0]`],
  [
    "an origin twice",
    filters(cors({ allowOrigins: ["https://a.com", "https://a.com"] })),
    `${inFilter}.cors.allowOrigins[1]`,
  ],
  ["no time to remember", filters(cors({ maxAge: 0 })), `${inFilter}.cors.maxAge`],
  ["CORS twice", filters(cors({}), cors({})), `${inRule}.filters`],
];

const backendLines: Line[] = [
  ["a Service", backends(service)],
  ["a Service without port", backends({ name: "shop" }), `${inRule}.backendRefs[0]`],
  ["another kind without port", backends({ name: "shop", group: "example.com", kind: "Bucket" })],
  ["a core kind without port", backends({ name: "shop", kind: "ConfigMap" })],
  ["a Service of another group without port", backends({ name: "shop", group: "example.com" })],
  ["weights", backends({ ...service, weight: 0 }, { ...service, name: "b", weight: 1_000_000 })],
  ["a weight below 0", backends({ ...service, weight: -1 }), `${inRule}.backendRefs[0].weight`],
  ["a weight above a million", backends({ ...service, weight: 1_000_001 }), `${inRule}.backendRefs[0].weight`],
  ["half a weight", backends({ ...service, weight: 1.5 }), `${inRule}.backendRefs[0].weight`],
  ["16 backends", backends(...times(16, (n) => ({ ...service, name: `s${n}` })))],
  ["17 backends", backends(...times(17, (n) => ({ ...service, name: `s${n}` }))), `${inRule}.backendRefs`],
  ["a filter of a backend", backends({ ...service, filters: [requestHeaders({})] })],
  ["a redirect in a backend", backends({ ...service, filters: [redirect({})] })],
  [
    "a rewritten prefix in a backend, of two matches",
    rule({ matches: [{}, {}], backendRefs: [{ ...service, filters: [rewrite({ path: prefix })] }] }),
    inRule,
  ],
  [
    "a redirected prefix in a backend, of an exact path",
    rule({
      matches: [{ path: { type: "Exact", value: "/a" } }],
      backendRefs: [{ ...service, filters: [redirect({ path: prefix })] }],
    }),
    inRule,
  ],
  [
    "rewritten prefixes in two backends, which nobody checks",
    rule({
      matches: [{}, {}],
      backendRefs: times(2, (n) => ({ ...service, name: `s${n}`, filters: [rewrite({ path: prefix })] })),
    }),
  ],
  ["timeouts", rule({ timeouts: { request: "10s", backendRequest: "2s" } })],
  [
    "a backend that may take longer than the request",
    rule({ timeouts: { request: "1s", backendRequest: "2s" } }),
    `${inRule}.timeouts`,
  ],
  ["a backend's timeout where requests have none", rule({ timeouts: { request: "0s", backendRequest: "2s" } })],
  ["a timeout in words", rule({ timeouts: { request: "1 day" } }), `${inRule}.timeouts.request`],
  ["a fraction of a second", rule({ timeouts: { request: "1.5s" } }), `${inRule}.timeouts.request`],
];

export const httpRouteCases: readonly Case[] = casesOf(HTTPRoute, [
  ...parents,
  ...matches,
  ...filterLines,
  ...backendLines,
]);
