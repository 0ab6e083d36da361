import { SECRET, bearer } from "../credentials.ts";
import { apiRoute, call, callStep, grpcBackend, grpcRoute, step, to, weighted } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

const UNIMPLEMENTED = { grpcStatus: 12 };

const match = (...entries: readonly Readonly<Record<string, unknown>>[]) => ({ match: entries });

/** Calls of gRPC. */
export const CALLS: readonly RoutingCase[] = [
  {
    name: "a call that no route is for is unimplemented",
    objects: [],
    steps: [callStep("/shop.Orders/Get", UNIMPLEMENTED)],
  },
  {
    name: "a call reaches its backend with method, metadata and message, and the trailers come back",
    objects: [grpcRoute("g", { ...match({ service: { exact: "shop.Orders" } }), ...to("grpc-a") })],
    steps: [
      callStep(call("/shop.Orders/Get", { headers: { "x-tenant": "t1" }, body: "ping" }), {
        grpcStatus: 0,
        backend: "grpc-a",
        seen: { target: "/shop.Orders/Get", body: "ping", headers: { "x-tenant": "t1", te: "trailers" } },
        headers: { "x-trailer": "grpc-a" },
      }),
    ],
  },
  {
    name: "a stream of messages comes back whole",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...to("grpc-a") })],
    steps: [callStep("/shop.Orders/StreamAll", { grpcStatus: 0, backend: "grpc-a", body: /^[^\n]+\n[^\n]+\n[^\n]+$/ })],
  },
  {
    name: "a route of gRPC is for calls only",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...to("grpc-a") })],
    steps: [step("POST /shop.Orders/Get", { status: 404 })],
  },
  {
    name: "service and method are matched exactly, by prefix or by pattern",
    objects: [
      grpcRoute("exact", { ...match({ service: { exact: "a.A" }, method: { exact: "Get" } }), ...to("grpc-a") }),
      grpcRoute("prefix", { ...match({ service: { prefix: "b." }, method: { prefix: "List" } }), ...to("grpc-a") }),
      grpcRoute("pattern", { ...match({ service: { regex: "c\\.[A-Z]+" } }), ...to("grpc-a") }),
    ],
    steps: [
      callStep("/a.A/Get", "grpc-a"),
      callStep("/a.A/Put", UNIMPLEMENTED),
      callStep("/a.AB/Get", UNIMPLEMENTED),
      callStep("/b.B/ListAll", "grpc-a"),
      callStep("/b.B/Get", UNIMPLEMENTED),
      callStep("/c.ABC/Any", "grpc-a"),
      callStep("/c.abc/Any", UNIMPLEMENTED),
    ],
  },
  {
    name: "the more is said about the service, and then about the method, the earlier a route is asked",
    objects: [
      grpcRoute("a-all", { ...match({ service: { exact: "*" } }), ...to("grpc-not-found") }),
      grpcRoute("b-service", { ...match({ service: { exact: "shop.Orders" } }), ...to("grpc-b") }),
      grpcRoute("c-method", {
        ...match({ service: { exact: "shop.Orders" }, method: { exact: "Get" } }),
        ...to("grpc-a"),
      }),
      grpcRoute("d-any-service", { ...match({ method: { exact: "Put" } }), ...to("grpc-a") }),
    ],
    steps: [
      callStep("/shop.Orders/Get", "grpc-a"),
      callStep("/shop.Orders/Put", "grpc-b"),
      callStep("/shop.Users/Put", "grpc-a"),
      callStep("/shop.Users/Get", { grpcStatus: 5 }),
    ],
  },
  {
    name: "metadata tells calls apart",
    objects: [
      grpcRoute("beta", {
        ...match({ service: { exact: "shop.Orders" }, metadata: [{ name: "X-Channel", exact: "beta" }] }),
        ...to("grpc-b"),
      }),
      grpcRoute("stable", { ...match({ service: { exact: "shop.Orders" } }), ...to("grpc-a") }),
    ],
    steps: [
      callStep(call("/shop.Orders/Get", { headers: { "x-channel": "beta" } }), "grpc-b"),
      callStep("/shop.Orders/Get", "grpc-a"),
    ],
  },
  {
    name: "what withoutHeaders lists must not be there",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" }, withoutHeaders: ["X-Debug"] }), ...to("grpc-a") })],
    steps: [callStep("/a.A/Get", "grpc-a"), callStep(call("/a.A/Get", { headers: { "x-debug": "1" } }), UNIMPLEMENTED)],
  },
  {
    name: "the authority tells calls apart",
    objects: [
      grpcRoute("a", { ...match({ authority: { exact: "a.test" } }), ...to("grpc-a") }),
      grpcRoute("b", { hosts: ["*.b.test"], ...match({ service: { exact: "*" } }), ...to("grpc-b") }),
    ],
    steps: [
      callStep("a.test/x.X/Get", "grpc-a"),
      callStep("a.test:443/x.X/Get", "grpc-a"),
      callStep("x.b.test/x.X/Get", "grpc-b"),
      callStep("c.test/x.X/Get", UNIMPLEMENTED),
    ],
  },
  {
    name: "a destination of a call is a GRPCBackend by its name",
    objects: [
      grpcBackend("orders", { hosts: [{ address: "grpc-a", port: 9090 }] }),
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        route: [{ destination: { host: "orders", port: 9090 } }],
      }),
    ],
    steps: [callStep("/a.A/Get", "grpc-a")],
  },
  {
    name: "calls are shared out by weight",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...weighted({ "grpc-a": 100, "grpc-b": 0 }) })],
    spread: { request: call("/a.A/Get"), times: 10, shares: { "grpc-a": [10, 10] } },
  },
  {
    name: "the status of a backend reaches the caller as it is",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...to("grpc-not-found") })],
    steps: [callStep("/a.A/Get", { grpcStatus: 5 })],
  },
  {
    name: "a backend of calls that nobody listens at is unavailable",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...to("refusing") })],
    steps: [callStep("/a.A/Get", { grpcStatus: 14 })],
  },
  {
    name: "a call that is unavailable is tried again where the route says so",
    objects: [
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        ...to("grpc-failing-once"),
        retries: { attempts: 2, retryOn: "unavailable", backoffBaseInterval: "1ms", budgetPercent: 100 },
      }),
    ],
    steps: [callStep("/a.A/Get", "grpc-failing-once")],
    asked: { "grpc-failing-once": 2 },
  },
  {
    name: "a call that is unavailable is not tried again where nobody says so",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...to("grpc-failing-once") })],
    steps: [callStep("/a.A/Get", { grpcStatus: 14 })],
    asked: { "grpc-failing-once": 1 },
  },
  {
    name: "a caller that has to say who they are is told so in gRPC's terms",
    objects: [
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        ...to("grpc-a"),
        authentication: { enabled: true, jwt: { enabled: true, secret: SECRET } },
      }),
    ],
    steps: [
      callStep("/a.A/Get", { grpcStatus: 16 }),
      callStep(call("/a.A/Get", { headers: bearer({ sub: "ada" }) }), "grpc-a"),
    ],
  },
  {
    name: "too many calls are told so in gRPC's terms",
    within: 900,
    objects: [
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        ...to("grpc-a"),
        rateLimit: { enabled: true, requestsPerSecond: 1, burst: 1 },
      }),
    ],
    steps: [callStep("/a.A/Get", "grpc-a"), callStep("/a.A/Get", { grpcStatus: [8, 14] })],
  },
  {
    name: "a call that takes longer than the route's timeout has missed its deadline",
    objects: [grpcRoute("g", { ...match({ service: { exact: "*" } }), ...to("grpc-hanging"), timeout: "100ms" })],
    steps: [callStep("/a.A/Get", { grpcStatus: 4 })],
  },
  {
    name: "what callers may not do is denied in gRPC's terms",
    objects: [
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        ...to("grpc-a"),
        authentication: {
          enabled: true,
          jwt: { enabled: true, secret: SECRET, claimMapping: { roles: "roles" } },
        },
        authorization: { enabled: true, rbac: { enabled: true, policies: [{ name: "p", roles: ["admin"] }] } },
      }),
    ],
    steps: [
      callStep(call("/a.A/Get", { headers: bearer({ roles: ["user"] }) }), { grpcStatus: 7 }),
      callStep(call("/a.A/Get", { headers: bearer({ roles: ["admin"] }) }), "grpc-a"),
    ],
  },
  {
    name: "a route of gRPC adds its own metadata",
    objects: [
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        ...to("grpc-a"),
        transform: { metadata: { static: { "x-source": "gateway" } } },
      }),
    ],
    steps: [callStep("/a.A/Get", { grpcStatus: 0, seen: { headers: { "x-source": "gateway" } } })],
  },
  {
    name: "metadata of calls is changed like headers of requests",
    objects: [
      grpcRoute("g", {
        ...match({ service: { exact: "*" } }),
        headers: { request: { set: { "x-by": "gateway" }, remove: ["x-gone"] } },
        ...to("grpc-a"),
      }),
    ],
    steps: [
      callStep(call("/a.A/Get", { headers: { "x-gone": "1" } }), {
        grpcStatus: 0,
        seen: { headers: { "x-by": "gateway", "x-gone": null } },
      }),
    ],
  },
  {
    name: "routes of HTTP and of gRPC live side by side on one host",
    objects: [
      apiRoute("http", to("echo-a")),
      grpcRoute("grpc", { ...match({ service: { exact: "shop.Orders" } }), ...to("grpc-a") }),
    ],
    steps: [callStep("/shop.Orders/Get", "grpc-a"), step("GET /shop.Orders/Get", "echo-a"), step("GET /", "echo-a")],
  },
];
