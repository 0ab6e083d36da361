import { BASIC, LONG_AGO, SECRET, basicHeader, bearer, sha256, unsignedToken } from "../credentials.ts";
import { apiRoute, prefix, request, step, to } from "../manifests.ts";
import type { CaseStep, Expected, RoutingCase } from "../routing-case.ts";

type Headers = Readonly<Record<string, string>>;
type Spec = Readonly<Record<string, unknown>>;

const as = (headers: Headers, expect: Expected | string, line = "GET /x"): CaseStep =>
  step(request(line, { headers }), expect);

const UNKNOWN: Expected = { status: 401 };
const FORBIDDEN: Expected = { status: 403 };

const guarded = (ways: Spec, more: Spec = {}) =>
  apiRoute("g", { ...to("echo-a"), authentication: { enabled: true, ...ways }, ...more });

const jwt = (more: Spec = {}) => ({ jwt: { enabled: true, secret: SECRET, algorithm: "HS256", ...more } });

/** A route for callers with tokens, and what they may do. */
const governed = (authorization: Spec) =>
  guarded(jwt({ claimMapping: { roles: "roles" } }), { authorization: { enabled: true, ...authorization } });

const rbac = (...policies: readonly Spec[]) => ({ rbac: { enabled: true, policies } });
const abac = (expression: string) => ({ abac: { enabled: true, policies: [{ name: "p", expression }] } });

const KEYS = { enabled: true, keys: [{ name: "ci", hash: sha256("key-1"), roles: ["robot"] }] };

/** Authentication and authorization. */
export const CALLERS: readonly RoutingCase[] = [
  {
    name: "a caller without a token is told what is needed",
    objects: [guarded(jwt())],
    steps: [step("GET /x", { status: 401, headers: { "www-authenticate": /Bearer/i } })],
    asked: { "echo-a": 0 },
  },
  {
    name: "a caller with a good token passes",
    objects: [guarded(jwt())],
    steps: [as(bearer({ sub: "ada" }), "echo-a")],
  },
  {
    name: "a token with another signature, without one, or that is none is refused",
    objects: [guarded(jwt())],
    steps: [
      as(bearer({ sub: "ada" }, "another secret, which is long enough"), UNKNOWN),
      as({ authorization: `Bearer ${unsignedToken({ sub: "ada" })}` }, UNKNOWN),
      as({ authorization: "Bearer x.y.z" }, UNKNOWN),
      as({ authorization: "Bearer" }, UNKNOWN),
    ],
    asked: { "echo-a": 0 },
  },
  {
    name: "a token that has expired, or is not valid yet, is refused",
    objects: [guarded(jwt())],
    steps: [
      as(bearer({ sub: "ada", exp: LONG_AGO }), UNKNOWN),
      as(bearer({ sub: "ada", nbf: 4_000_000_000 }), UNKNOWN),
    ],
  },
  {
    name: "issuer and audience of a token have to be those of the route",
    objects: [guarded(jwt({ issuer: "https://issuer.test", audience: ["shop", "store"] }))],
    steps: [
      as(bearer({ iss: "https://issuer.test", aud: "shop" }), "echo-a"),
      as(bearer({ iss: "https://issuer.test", aud: ["x", "store"] }), "echo-a"),
      as(bearer({ iss: "https://other.test", aud: "shop" }), UNKNOWN),
      as(bearer({ iss: "https://issuer.test", aud: "x" }), UNKNOWN),
      as(bearer({ aud: "shop" }), UNKNOWN),
    ],
  },
  {
    name: "names and passwords are taken, and do not reach the backend",
    objects: [guarded({ basic: BASIC })],
    steps: [
      as(basicHeader("ada", "pw"), { status: 200, seen: { headers: { authorization: null } } }),
      as(basicHeader("ada", "wrong"), UNKNOWN),
      as(basicHeader("bo", "pw"), UNKNOWN),
      step("GET /x", { status: 401, headers: { "www-authenticate": /Basic/i } }),
    ],
  },
  {
    name: "keys are taken from their header",
    objects: [guarded({ apiKey: { ...KEYS, header: "X-Key" } })],
    steps: [
      as({ "x-key": "key-1" }, "echo-a"),
      as({ "x-key": "key-2" }, UNKNOWN),
      as({ "x-api-key": "key-1" }, UNKNOWN),
      step("GET /x", UNKNOWN),
    ],
  },
  {
    name: "keys are taken from their query parameter",
    objects: [guarded({ apiKey: { ...KEYS, query: "key" } })],
    steps: [step("GET /x?key=key-1", { status: 200, backend: "echo-a" }), step("GET /x?key=no", UNKNOWN)],
  },
  {
    name: "any of the enabled ways is enough",
    objects: [guarded({ ...jwt(), basic: BASIC })],
    steps: [as(bearer({ sub: "ada" }), "echo-a"), as(basicHeader("ada", "pw"), "echo-a"), step("GET /x", UNKNOWN)],
  },
  {
    name: "paths that are skipped need no caller",
    objects: [guarded({ ...jwt(), skipPaths: ["/healthz", "/public/*"] })],
    steps: [
      step("GET /healthz", "echo-a"),
      step("GET /public/x", "echo-a"),
      step("GET /healthz/x", UNKNOWN),
      step("GET /public/../x", UNKNOWN),
      step("GET /x", UNKNOWN),
    ],
  },
  {
    name: "where nobody has to say who they are, what they say has to be true all the same",
    objects: [guarded({ ...jwt(), allowAnonymous: true })],
    steps: [
      step("GET /x", "echo-a"),
      as(bearer({ sub: "ada" }), "echo-a"),
      as(bearer({ sub: "ada" }, "another secret, which is long enough"), UNKNOWN),
    ],
  },
  {
    name: "authentication that is not enabled asks nobody",
    objects: [apiRoute("g", { ...to("echo-a"), authentication: { ...jwt(), enabled: false } })],
    steps: [step("GET /x", "echo-a")],
  },
  {
    name: "a route guards itself only",
    objects: [
      apiRoute("g", { ...prefix("/private"), ...to("echo-a"), authentication: { enabled: true, ...jwt() } }),
      apiRoute("open", { ...prefix("/open"), ...to("echo-b") }),
    ],
    steps: [step("GET /private", UNKNOWN), step("GET /open", "echo-b")],
  },
  {
    name: "a direct answer is guarded as well",
    objects: [
      apiRoute("g", { directResponse: { status: 200, body: "x" }, authentication: { enabled: true, ...jwt() } }),
    ],
    steps: [step("GET /x", UNKNOWN), as(bearer({}), { status: 200, body: "x" })],
  },
  {
    name: "a redirect is guarded as well",
    objects: [apiRoute("g", { redirect: { uri: "/new" }, authentication: { enabled: true, ...jwt() } })],
    steps: [step("GET /x", UNKNOWN), as(bearer({}), { status: 302 })],
  },
  {
    name: "roles decide what callers may do",
    objects: [
      governed(
        rbac(
          { name: "admins", roles: ["admin"] },
          { name: "readers", roles: ["reader"], actions: ["GET"], resources: ["/posts/*"] },
        ),
      ),
    ],
    steps: [
      as(bearer({ roles: ["admin"] }), "echo-a", "DELETE /anything"),
      as(bearer({ roles: ["reader"] }), "echo-a", "GET /posts/1"),
      as(bearer({ roles: ["reader"] }), FORBIDDEN, "PUT /posts/1"),
      as(bearer({ roles: ["reader"] }), FORBIDDEN, "GET /users/1"),
      as(bearer({ roles: ["other"] }), FORBIDDEN, "GET /posts/1"),
      as(bearer({}), FORBIDDEN, "GET /posts/1"),
      step("GET /posts/1", UNKNOWN),
    ],
  },
  {
    name: "a role includes those below it",
    objects: [
      governed({
        rbac: {
          enabled: true,
          policies: [{ name: "readers", roles: ["reader"] }],
          roleHierarchy: { admin: ["editor"], editor: ["reader"] },
        },
      }),
    ],
    steps: [as(bearer({ roles: ["admin"] }), "echo-a"), as(bearer({ roles: ["guest"] }), FORBIDDEN)],
  },
  {
    name: "of policies that apply the one with the higher priority decides",
    objects: [
      governed(
        rbac(
          { name: "allow", roles: ["user"], effect: "allow", priority: 1 },
          { name: "deny", roles: ["banned"], effect: "deny", priority: 10 },
        ),
      ),
    ],
    steps: [as(bearer({ roles: ["user"] }), "echo-a"), as(bearer({ roles: ["user", "banned"] }), FORBIDDEN)],
  },
  {
    name: "where no policy applies the default decides",
    objects: [governed({ ...rbac({ name: "deny", roles: ["banned"], effect: "deny" }), defaultPolicy: "allow" })],
    steps: [as(bearer({ roles: ["user"] }), "echo-a"), as(bearer({ roles: ["banned"] }), FORBIDDEN)],
  },
  {
    name: "expressions decide by action and resource",
    objects: [governed(abac("action == 'GET' && resource.startsWith('/open')"))],
    steps: [
      as(bearer({}), "echo-a", "GET /open/x"),
      as(bearer({}), FORBIDDEN, "POST /open/x"),
      as(bearer({}), FORBIDDEN, "GET /closed"),
    ],
  },
  {
    name: "expressions can ask for a role",
    objects: [governed(abac("has_role('admin')"))],
    steps: [as(bearer({ roles: ["admin"] }), "echo-a"), as(bearer({ roles: ["user"] }), FORBIDDEN)],
  },
  {
    name: "roles of users with passwords and of keys count like any others",
    objects: [
      guarded(
        { basic: BASIC, apiKey: KEYS },
        { authorization: { enabled: true, ...rbac({ name: "admins", roles: ["admin"] }) } },
      ),
    ],
    steps: [as(basicHeader("ada", "pw"), "echo-a"), as({ "x-api-key": "key-1" }, FORBIDDEN)],
  },
  {
    name: "paths that authorization skips need no permission",
    objects: [governed({ ...rbac({ name: "nobody", roles: ["nobody"] }), skipPaths: ["/me"] })],
    steps: [as(bearer({}), "echo-a", "GET /me"), as(bearer({}), FORBIDDEN, "GET /you")],
  },
];
