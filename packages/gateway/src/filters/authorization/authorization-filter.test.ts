import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Answer } from "../../exchange/answer.ts";
import { OutboundError } from "../../outbound/fetch-json.ts";
import type { JsonReply, JsonRequest } from "../../outbound/fetch-json.ts";
import type { Identity } from "../../pipeline/call.ts";
import { madeAround, madeCall, textOf } from "../testing/made-call.ts";
import type { CallParts } from "../testing/made-call.ts";
import { authorizationFilter } from "./authorization-filter.ts";
import type { AuthorizationSpec } from "./authorization-spec.ts";

const identity = (more: Partial<Identity> = {}): Identity => ({
  method: "jwt",
  subject: "ada",
  roles: [],
  groups: [],
  scopes: [],
  permissions: [],
  claims: new Map(),
  ...more,
});

type Reply = Partial<JsonReply> | Error;

function made(spec: AuthorizationSpec, reply: Reply = new OutboundError("unreachable", "away")) {
  const asked: JsonRequest[] = [];
  const around = {
    ...madeAround(),
    fetchJson: (request: JsonRequest): Promise<JsonReply> => {
      asked.push(request);
      return reply instanceof Error
        ? Promise.reject(reply)
        : Promise.resolve({ status: 200, body: undefined, maxAgeSeconds: undefined, ...reply });
    },
  };
  const filter = authorizationFilter({ enabled: true, ...spec }, around);
  const answer = async (parts: CallParts = {}): Promise<Answer | undefined> => filter?.request?.(madeCall(parts));
  const allowed = async (parts: CallParts = {}): Promise<boolean> => {
    const got = await answer({ identity: identity(), ...parts });
    assert.ok(got === undefined || got.status === 403, `status ${got?.status}`);
    return got === undefined;
  };
  return { filter, around, asked, answer, allowed };
}

type RbacPolicy = NonNullable<NonNullable<AuthorizationSpec["rbac"]>["policies"]>[number];
const rbac = (policies: readonly Omit<RbacPolicy, "name">[], more: AuthorizationSpec["rbac"] = {}) =>
  made({ rbac: { enabled: true, policies: policies.map((policy) => ({ name: "p", ...policy })), ...more } });

const expression = (text: string) => made({ abac: { enabled: true, policies: [{ name: "p", expression: text }] } });

test("without a policy that says something it is denied, unless the default is to allow", async () => {
  assert.equal(await rbac([]).allowed(), false);
  assert.equal(await made({ defaultPolicy: "allow", rbac: { enabled: true } }).allowed(), true);
  assert.equal(await made({}).allowed(), false);
});

test("who is denied is told so, and nothing about why", async () => {
  const answer = await rbac([{ roles: ["secret-role"], effect: "deny" }]).answer();
  assert.equal(answer?.status, 403);
  assert.equal(answer.origin, "forbidden");
  assert.equal(await textOf(answer.body), "this is not allowed\n");
});

test("roles, resources and actions must all fit", async () => {
  const { allowed } = rbac([{ roles: ["editor"], resources: ["/posts*"], actions: ["get", "PUT"] }]);
  const editor = identity({ roles: ["editor"] });
  assert.equal(await allowed({ identity: editor, target: "/posts/1?x=y" }), true);
  assert.equal(await allowed({ identity: editor, target: "/posts/1", method: "PUT" }), true);
  assert.equal(await allowed({ identity: editor, target: "/posts/1", method: "DELETE" }), false);
  assert.equal(await allowed({ identity: editor, target: "/users" }), false);
  assert.equal(await allowed({ identity: identity({ roles: ["viewer"] }), target: "/posts/1" }), false);
});

test("the higher priority decides, and of equal ones the one that denies", async () => {
  const allow = { effect: "allow" };
  const deny = { effect: "deny" };
  assert.equal(await rbac([allow, deny]).allowed(), false);
  assert.equal(await rbac([deny, allow]).allowed(), false);
  assert.equal(await rbac([deny, { ...allow, priority: 1 }]).allowed(), true);
  assert.equal(
    await rbac([
      { ...deny, priority: 2 },
      { ...allow, priority: 1 },
    ]).allowed(),
    false,
  );
});

test("a role brings others with it, whichever way round they lead", async () => {
  const roleHierarchy = JSON.parse(
    '{"admin":["editor"],"editor":["viewer"],"viewer":["admin"],"__proto__":["root"],"constructor":["root"]}',
  ) as Record<string, string[]>;
  const viewers = rbac([{ roles: ["viewer"] }], { roleHierarchy });
  assert.equal(await viewers.allowed({ identity: identity({ roles: ["admin"] }) }), true);
  assert.equal(await viewers.allowed({ identity: identity({ roles: ["other"] }) }), false);
  const roots = rbac([{ roles: ["root"] }], { roleHierarchy });
  assert.equal(await roots.allowed({ identity: identity({ roles: ["admin", "toString"] }) }), false);
});

test("a star among roles stands for everybody who has proven who they are", async () => {
  const { allowed, answer } = rbac([{ roles: ["*"], resources: ["/a"] }]);
  assert.equal(await allowed({ target: "/a" }), true);
  assert.equal(await allowed({ target: "/a", identity: identity({ method: "anonymous" }) }), false);
  assert.equal((await answer({ target: "/a" }))?.status, 403);
  assert.equal(await rbac([{ resources: ["/a"] }]).answer({ target: "/a" }), undefined);
});

const RESOURCES: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
  ["*", "/anything/at/all", true],
  ["/a", "/a", true],
  ["/a", "/a/", false],
  ["/a*", "/a/b/c", true],
  ["/a*", "/ab", true],
  ["/a/*", "/a", false],
  ["/users/*/orders", "/users/7/orders", true],
  ["/users/*/orders", "/users/7/8/orders", false],
  ["/users/**/orders", "/users/7/8/orders", true],
  ["/users/*/orders/*", "/users/7/orders/1/2", true],
  ["*.png", "/a.png", false],
  ["**.png", "/img/a.png", true],
  ["/a*b*c", "/axbxc", true],
  ["/a*b*c", "/axb/xc", false],
  ["/x*y", "/x/y", false],
  ["~^/v[0-9]+/", "/v12/x", true],
  ["~admin", "/an/admin/page", true],
  ["~^/v[0-9]+$", "/v12/x", false],
];

for (const [pattern, path, matches] of RESOURCES) {
  test(`${pattern} ${matches ? "covers" : "does not cover"} ${path}`, async () => {
    assert.equal(await rbac([{ resources: [pattern] }]).allowed({ target: path }), matches);
  });
}

test("patterns full of stars take no longer than their length times the path's", async () => {
  const { allowed } = rbac([{ resources: [`${"*a".repeat(200)}b`] }]);
  assert.equal(await allowed({ target: `/${"a".repeat(4000)}` }), false);
});

test("a pattern matches as its regular expression would", async () => {
  const piece = fc.constantFrom("a", "b", "/", "*", "**");
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 6 }),
      fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 8 }),
      async (pieces, path) => {
        const pattern = `/${pieces.join("")}x`;
        const text = `/${path.join("")}x`;
        const regex = pattern.replace(/\*+/gu, (stars) => (stars.length > 1 ? ".*" : "[^/]*"));
        return (
          (await rbac([{ resources: [pattern] }]).allowed({ target: text })) ===
          new RegExp(`^${regex}$`, "su").test(text)
        );
      },
    ),
  );
});

test("gRPC calls are named by their path, and acted on by their method's name or POST", async () => {
  const call: CallParts = { kind: "GRPCRoute", target: "/shop.Orders/Create", method: "POST", isGrpc: true };
  for (const actions of [["Create"], ["create"], ["POST"]])
    assert.equal(await rbac([{ resources: ["/shop.Orders/*"], actions }]).allowed(call), true);
  assert.equal(await rbac([{ resources: ["/shop.Orders/*"], actions: ["Delete"] }]).allowed(call), false);
});

test("a client that says gRPC is judged by its method where the route is none, or the method none of gRPC", async () => {
  const said: CallParts = { target: "/items/42", method: "DELETE", isGrpc: true };
  for (const call of [said, { ...said, kind: "GRPCRoute" as const }]) {
    const denied = expression('request.action != "DELETE" && !request.grpc');
    assert.equal(await denied.allowed(call), false);
    assert.equal(await rbac([{ actions: ["42"] }]).allowed(call), false);
    assert.equal(await rbac([{ actions: ["DELETE"] }]).allowed(call), true);
  }
  assert.equal(await expression("request.grpc").allowed({ target: "/items/42", method: "POST", isGrpc: true }), false);
});

const EXPRESSIONS: readonly (readonly [text: string, allowed: boolean])[] = [
  ['subject.id == "ada"', true],
  ['subject.department == "sales"', true],
  ['subject.claims.department == "sales"', true],
  ['has_role("admin")', true],
  ['has_role("viewer")', true],
  ['has_role("root")', false],
  ['"admin" in subject.roles', true],
  ['"g1" in subject.groups && "read" in subject.scopes', true],
  ['ip_in_range(request.client_ip, "10.0.0.0/8")', true],
  ['ip_in_range(request.client_ip, "10.1.2.0/25")', true],
  ['ip_in_range(request.client_ip, "10.1.2.128/25")', false],
  ['ip_in_range("::ffff:10.1.2.3", "10.0.0.0/8")', true],
  ['ip_in_range("2001:db8::1", "2001:db8::/32")', true],
  ['ip_in_range("x", "10.0.0.0/8") || ip_in_range("10.0.0.1", "10.0.0.0")', false],
  ['ip_in_range("10.0.0.1", "0.0.0.0/0") && !ip_in_range("10.0.0.1", "::/0")', true],
  ['request.method == "GET" && request.headers["x-team"] == "a, b"', true],
  ['request.parameters.id == "7"', true],
  ["has(request.headers.authorization) || has(request.headers.cookie)", false],
  ['resource.startsWith("/users/") && action == "GET"', true],
  ['now < timestamp("2031-01-01T00:00:00Z") && environment.time == now', true],
  ['environment.route == "APIRoute default/hello"', true],
  ['subject.missing == "x"', false],
  ['subject.missing == "x" || true', true],
  ["subject.__proto__.admin", false],
  ["1 / size(subject.permissions) == 1", false],
  ["subject.department", false],
];

for (const [text, allowed] of EXPRESSIONS) {
  test(`an expression ${allowed ? "allows" : "does not allow"}: ${text}`, async () => {
    const filter = made({
      rbac: { roleHierarchy: { admin: ["viewer"] } },
      abac: { enabled: true, policies: [{ name: "p", expression: text }] },
    });
    const call: CallParts = {
      target: "/users/7?x=1",
      parameters: { id: "7" },
      clientAddress: "10.1.2.3",
      fields: { authorization: "Bearer hush", cookie: "hush" },
      identity: identity({
        roles: ["admin"],
        groups: ["g1"],
        scopes: ["read"],
        claims: new Map<string, unknown>([
          ["department", "sales"],
          ["id", "root"],
          ["roles", ["root"]],
        ]),
      }),
    };
    const asked = madeCall(call);
    asked.head.fields.add("x-team", "a");
    asked.head.fields.add("x-team", "b");
    const answer = await filter.filter?.request?.(asked);
    assert.equal(answer === undefined, allowed);
  });
}

test("an expression that fails denies, even when a policy behind it would allow", async () => {
  const policies = [
    { name: "first", priority: 1, effect: "deny", expression: "subject.missing" },
    { name: "second", expression: "true" },
  ];
  assert.equal(await made({ defaultPolicy: "allow", abac: { enabled: true, policies } }).allowed(), false);
});

test("an expression that costs too much denies", async () => {
  const groups = Array.from({ length: 2000 }, (_, index) => `g${index}`);
  const { allowed } = expression("subject.groups.all(a, subject.groups.exists(b, a == b))");
  assert.equal(await allowed({ identity: identity({ groups }) }), false);
  assert.equal(await allowed({ identity: identity({ groups: groups.slice(0, 20) }) }), true);
});

test("one request's identity is not another's: has_role is asked for each", async () => {
  const { allowed } = expression('has_role("admin")');
  assert.equal(await allowed({ identity: identity({ roles: ["admin"] }) }), true);
  assert.equal(await allowed({ identity: identity() }), false);
  assert.equal(await allowed({ identity: identity({ roles: ["admin"] }) }), true);
});

test("what cannot be compiled closes the route and is told", async () => {
  const specs: readonly (readonly [field: string, spec: AuthorizationSpec])[] = [
    ["rbac.policies[0].resources", { rbac: { enabled: true, policies: [{ name: "a", resources: ["~("] }] } }],
    ["abac.policies[0].expression", { abac: { enabled: true, policies: [{ name: "a", expression: "1 +" }] } }],
    ["abac.policies[0].expression", { abac: { enabled: true, policies: [{ name: "a", expression: "'text'" }] } }],
    ["abac.policies[0].expression", { abac: { enabled: true, policies: [{ name: "a", expression: "nobody.knows" }] } }],
    ["external.opa", { external: { enabled: true } }],
    ["external.opa.url", { external: { enabled: true, opa: { url: "opa" } } }],
    ["external.timeout", { external: { enabled: true, timeout: "soon", opa: { url: "http://opa" } } }],
    [
      "external.opa.headers[a b]",
      { external: { enabled: true, opa: { url: "http://opa", headers: { "a b": "hush" } } } },
    ],
  ];
  for (const [field, spec] of specs) {
    const { answer, around } = made({ ...spec, defaultPolicy: "allow" });
    assert.equal((await answer())?.status, 503, field);
    assert.deepEqual(
      around.notes.map((note) => [note.field, note.severity, note.closed]),
      [[`spec.authorization.${field}`, "error", true]],
    );
    assert.ok(!JSON.stringify(around.notes).includes("hush"));
  }
});

const opa = (reply: Reply, more: AuthorizationSpec = {}) =>
  made(
    {
      ...more,
      external: {
        enabled: true,
        timeout: "300ms",
        opa: { url: "http://opa:8181/", policy: "/gateway/my policy", headers: { Authorization: "Bearer t" } },
        ...more.external,
      },
    },
    reply,
  );

test("the policy engine is asked at its policy's address with everything but credentials", async () => {
  const { allowed, asked } = opa({ body: { result: true } });
  const claims = new Map<string, unknown>(Object.entries(JSON.parse('{"__proto__":{"a":1},"team":"x"}') as object));
  const call = { target: "/a?b=c", fields: { authorization: "hush", accept: "x" }, identity: identity({ claims }) };
  assert.equal(await allowed(call), true);
  const [request] = asked;
  assert.equal(request?.url, "http://opa:8181/v1/data/gateway/my%20policy");
  assert.equal(request.timeoutMs, 300);
  assert.deepEqual([...(request.headers ?? [])], [["authorization", "Bearer t"]]);
  assert.ok(!request.body?.includes("hush"));
  const { input } = JSON.parse(request.body ?? "") as { input: Record<string, Record<string, unknown>> };
  assert.deepEqual([input["resource"], input["action"], input["subject"]?.["id"]], ["/a", "GET", "ada"]);
  assert.deepEqual(input["request"]?.["headers"], { accept: "x" });
  assert.match(request.body ?? "", /"claims":\{"__proto__":\{"a":1\},"team":"x"\}/);
});

test("the address of the policy engine may have the way to its data already, or all of it", async () => {
  for (const [url, policy, expected] of [
    ["http://opa/v1/data", "a/b", "http://opa/v1/data/a/b"],
    ["http://opa/v1/data/x/", "a", "http://opa/v1/data/x/a"],
    ["http://opa/decide", undefined, "http://opa/decide"],
  ] as const) {
    const { allowed, asked } = opa({ body: { result: true } }, { external: { opa: { url, policy } } });
    assert.equal(await allowed(), true);
    assert.equal(asked[0]?.url, expected);
  }
});

const REPLIES: readonly (readonly [what: string, reply: Reply, closed: boolean, open: boolean])[] = [
  ["true", { body: { result: true } }, true, true],
  ["false", { body: { result: false } }, false, false],
  ["an object that allows", { body: { result: { allow: true, reason: "x" } } }, true, true],
  ["an object that does not", { body: { result: { allow: false } } }, false, false],
  ["a rule that is not defined", { body: {} }, false, false],
  ["a text", { body: { result: "true" } }, false, false],
  ["no JSON", { body: undefined }, false, false],
  ["not found", { status: 404, body: { result: true } }, false, false],
  ["a redirect", { status: 302, body: { result: true } }, false, false],
  ["a fault", { status: 500 }, false, true],
  ["silence", new OutboundError("timeout", "x"), false, true],
  ["nobody there", new OutboundError("unreachable", "x"), false, true],
  ["an address that is not allowed", new OutboundError("refused_address", "x"), false, false],
  ["a fault of ours", new TypeError("x"), false, false],
];

for (const [what, reply, closed, open] of REPLIES) {
  test(`the policy engine answers with ${what}: ${closed ? "allowed" : "denied"}; ${open ? "allowed" : "denied"} when it may fail open`, async () => {
    assert.equal(await opa(reply).allowed(), closed);
    assert.equal(await opa(reply, { external: { failOpen: true } }).allowed(), open);
  });
}

test("decisions are kept for a while, by all that they depend on, and failures are not", async () => {
  const cache = { enabled: true, ttl: "10s", maxSize: 2 };
  const { allowed, asked, around } = opa({ body: { result: true } }, { cache });
  const count = async (parts: CallParts): Promise<number> => {
    assert.equal(await allowed(parts), true);
    return asked.length;
  };
  assert.equal(await count({}), 1);
  assert.equal(await count({}), 1);
  assert.equal(await count({ fields: { "x-request-id": "1", "x-b3-traceid": "2" } }), 1, "a trace is no difference");
  assert.equal(await count({ method: "PUT" }), 2);
  assert.equal(await count({ fields: { "x-tenant": "b" } }), 3);
  assert.equal(await count({}), 4, "the oldest gave way");
  assert.equal(await count({ identity: identity({ claims: new Map([["level", 1]]) }) }), 5);
  around.clock.advance(10_000);
  assert.equal(await count({}), 6);
  const failing = opa({ status: 500 }, { cache, external: { failOpen: true } });
  await failing.allowed();
  await failing.allowed();
  assert.equal(failing.asked.length, 2);
});

test("Redis for decisions is told to be memory here", () => {
  const { around } = opa({ body: {} }, { cache: { enabled: true, type: "redis" } });
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [["spec.authorization.cache", "warning"]],
  );
});

test("roles, expressions and the policy engine are asked in this order, and the first that says something decides", async () => {
  const spec = {
    rbac: { enabled: true, policies: [{ name: "r", roles: ["admin"] }] },
    abac: { enabled: true, policies: [{ name: "a", resources: ["/a*"], expression: "true", effect: "deny" }] },
  };
  const { allowed, asked } = opa({ body: { result: true } }, spec);
  assert.equal(await allowed({ target: "/a", identity: identity({ roles: ["admin"] }) }), true);
  assert.equal(await allowed({ target: "/a" }), false);
  assert.equal(asked.length, 0);
  assert.equal(await allowed({ target: "/b" }), true);
  assert.equal(asked.length, 1);
});

test("paths that are skipped are not judged", async () => {
  const { answer } = made({ rbac: { enabled: true }, skipPaths: ["/health", "/public/*"] });
  assert.equal(await answer({ target: "/health?x" }), undefined);
  assert.equal(await answer({ target: "/public/x" }), undefined);
  assert.equal((await answer({ target: "/public/..%2fadmin" }))?.status, 403);
  assert.equal((await answer({ target: "/x" }))?.status, 403);
});

test("what is not enabled is no filter, and nothing to ask is told", () => {
  assert.equal(made({ enabled: false }).filter, undefined);
  assert.deepEqual(
    made({ defaultPolicy: "allow" }).around.notes.map(({ field }) => field),
    ["spec.authorization"],
  );
});

test("whatever an identity claims, nobody becomes an admin by it", async () => {
  const { allowed } = made({
    rbac: { enabled: true, policies: [{ name: "a", roles: ["admin"] }] },
    abac: { enabled: true, policies: [{ name: "b", expression: 'subject.id == "root" || "admin" in subject.roles' }] },
  });
  const names = fc.constantFrom("id", "roles", "__proto__", "constructor", "subject", "claims", "method", "toString");
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.oneof(names, fc.string()),
        fc.oneof(fc.jsonValue(), fc.constant(["admin"]), fc.constant("root")),
      ),
      async (claims) => !(await allowed({ identity: identity({ claims: new Map(Object.entries(claims)) }) })),
    ),
  );
});
