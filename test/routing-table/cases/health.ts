import { apiRoute, backend, call, callStep, grpcBackend, grpcRoute, request, step, to } from "../manifests.ts";
import type { CaseStep, Expected, Manifest, RoutingCase } from "../routing-case.ts";

type Spec = Readonly<Record<string, unknown>>;

/** Often enough that cases do not take long. */
const OFTEN = { interval: "20ms", timeout: "1s", healthyThreshold: 1, unhealthyThreshold: 1 };
const BY_PATH = { path: "/how-are-you", ...OFTEN };
const NOBODY: Expected = { status: 503 };

function shop(names: readonly string[], healthCheck: Spec, more: Spec = {}): readonly Manifest[] {
  const hosts = names.map((address) => ({ address, port: 8080 }));
  return [backend("shop", { hosts, healthCheck, ...more }), apiRoute("r", to("shop"))];
}

function calls(names: readonly string[], healthCheck: Spec): readonly Manifest[] {
  const hosts = names.map((address) => ({ address, port: 8080 }));
  return [
    grpcBackend("shop", { hosts, healthCheck }),
    grpcRoute("r", { match: [{ service: { exact: "*" } }], ...to("shop") }),
  ];
}

const after = (one: CaseStep): CaseStep => ({ ...one, settles: true });
const all = (name: string) =>
  ({ request: request("GET /"), times: 10, shares: { [name]: [10, 10] }, settles: true }) as const;

/** Hosts that are asked how they are, and what becomes of those that are not well. */
export const HEALTH: readonly RoutingCase[] = [
  {
    name: "a host that says that it is not well gets no requests",
    objects: shop(["echo-a", "sick"], BY_PATH),
    spread: all("echo-a"),
  },
  {
    name: "hosts that are well share the requests",
    objects: shop(["echo-a", "echo-b"], BY_PATH),
    spread: { request: request("GET /"), times: 10, shares: { "echo-a": [4, 6], "echo-b": [4, 6] } },
  },
  {
    name: "a host that knows nothing of the path is not well",
    objects: shop(["missing", "echo-b"], BY_PATH),
    spread: all("echo-b"),
  },
  {
    name: "a host that nobody answers at is not well",
    objects: shop(["refusing", "echo-b"], BY_PATH),
    spread: all("echo-b"),
  },
  {
    name: "a host that does not answer in time is not well",
    objects: [
      backend("shop", {
        hosts: ["hanging", "echo-b"].map((address) => ({ address, port: 8080 })),
        healthCheck: { ...BY_PATH, timeout: "50ms" },
      }),
      apiRoute("r", { ...to("shop"), timeout: "300ms" }),
    ],
    spread: all("echo-b"),
  },
  {
    name: "when no host is well the answer is 503 at once",
    objects: shop(["sick"], BY_PATH),
    steps: [after(step("GET /", NOBODY)), step("GET /", NOBODY)],
  },
  {
    name: "a host that gets well gets requests again",
    objects: shop(["recovering"], BY_PATH),
    steps: [after(step("GET /", NOBODY)), after(step("GET /", "recovering"))],
  },
  {
    name: "a single bad answer takes nobody out where more are asked for",
    objects: shop(["dizzy"], { ...BY_PATH, unhealthyThreshold: 3 }),
    spread: { request: request("GET /"), times: 40, shares: { dizzy: [40, 40] } },
  },
  {
    name: "destinations of a route are each as well as their own hosts",
    objects: [
      backend("one", { hosts: [{ address: "sick", port: 8080 }], healthCheck: BY_PATH }),
      backend("two", { hosts: [{ address: "echo-b", port: 8080 }], healthCheck: BY_PATH }),
      apiRoute("r1", { match: [{ uri: { prefix: "/one" } }], ...to("one") }),
      apiRoute("r2", { match: [{ uri: { prefix: "/two" } }], ...to("two") }),
    ],
    steps: [after(step("GET /one", NOBODY)), step("GET /two", "echo-b")],
  },
  {
    name: "hosts without checks count as well",
    objects: [backend("shop", { hosts: [{ address: "sick", port: 8080 }] }), apiRoute("r", to("shop"))],
    steps: [step("GET /", "sick")],
  },
  {
    name: "a check that only connects leaves hosts out at which nobody listens",
    objects: shop(["refusing", "echo-b"], { tcp: true, ...OFTEN }),
    spread: all("echo-b"),
  },
  {
    name: "a check that only connects asks nothing",
    objects: shop(["sick"], { tcp: true, ...OFTEN }),
    spread: { request: request("GET /"), times: 10, shares: { sick: [10, 10] } },
  },
  {
    name: "hosts with TLS are asked with TLS",
    objects: shop(["tls-a", "refusing"], BY_PATH, {
      tls: { enabled: true, caFile: "authority.pem", serverName: "backend.test" },
    }),
    spread: all("tls-a"),
  },
  {
    name: "servers of gRPC are asked by its health protocol",
    objects: calls(["grpc-sick", "grpc-b"], { enabled: true, ...OFTEN }),
    spread: { request: call("/shop.Orders/Get"), times: 10, shares: { "grpc-b": [10, 10] }, settles: true },
  },
  {
    name: "servers of gRPC are asked about the service that is named",
    objects: calls(["grpc-half-sick", "grpc-b"], { enabled: true, service: "shop.Orders", ...OFTEN }),
    spread: { request: call("/shop.Orders/Get"), times: 10, shares: { "grpc-b": [10, 10] }, settles: true },
  },
  {
    name: "servers of gRPC that serve as a whole are well whatever becomes of one service",
    objects: calls(["grpc-half-sick"], { enabled: true, ...OFTEN }),
    steps: [callStep("/shop.Orders/Get", "grpc-half-sick"), callStep("/shop.Orders/Get", "grpc-half-sick")],
  },
  {
    name: "when no server is well a call has the status UNAVAILABLE",
    objects: calls(["grpc-sick"], { enabled: true, ...OFTEN }),
    steps: [after(callStep("/shop.Orders/Get", { grpcStatus: 14 }))],
  },
];
