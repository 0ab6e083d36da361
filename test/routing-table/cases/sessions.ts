import { apiRoute, backend, request, step, to } from "../manifests.ts";
import type { Manifest, RoutingCase } from "../routing-case.ts";

type Spec = Readonly<Record<string, unknown>>;

function shop(loadBalancer: Spec, more: Spec = {}): readonly Manifest[] {
  const hosts = ["echo-a", "echo-b", "echo-c"].map((address) => ({ address, port: 8080 }));
  return [backend("shop", { hosts, loadBalancer, ...more }), apiRoute("r", to("shop"))];
}

const STICKY = { algorithm: "sticky" };
const SAME_CLIENT = request("GET /", { cookies: true });

/** Clients that stay with the host that they got first. */
export const SESSIONS: readonly RoutingCase[] = [
  {
    name: "a client that keeps its cookie stays with its host",
    objects: shop(STICKY),
    oneBackend: { request: SAME_CLIENT, times: 12 },
  },
  {
    name: "clients without cookies are spread over the hosts",
    objects: shop(STICKY),
    spread: {
      request: request("GET /"),
      times: 30,
      shares: { "echo-a": [1, 25], "echo-b": [1, 25], "echo-c": [1, 25] },
    },
  },
  {
    name: "the cookie is for the whole site, not for scripts, and until the browser is closed",
    objects: shop(STICKY),
    steps: [
      step("GET /a/b", {
        status: 200,
        headers: { "set-cookie": /^gateway-sticky=[^;]+; Path=\/; HttpOnly(; SameSite=\w+)?$/ },
      }),
    ],
  },
  {
    name: "the cookie has the name and the lifetime that the backend says",
    objects: shop({ ...STICKY, sticky: { cookieName: "shop-host", ttl: "1h" } }),
    steps: [step("GET /", { status: 200, headers: { "set-cookie": /^shop-host=[^;]+;.*Max-Age=3600/i } })],
  },
  {
    name: "a client that has its cookie is not given it again",
    objects: shop(STICKY),
    steps: [
      step(SAME_CLIENT, { status: 200, headers: { "set-cookie": /^gateway-sticky=/ } }),
      step(SAME_CLIENT, { status: 200, headers: { "set-cookie": null } }),
    ],
  },
  {
    name: "a cookie that names no host is as good as none, and replaced",
    objects: shop(STICKY),
    steps: [
      step(request("GET /", { headers: { cookie: "gateway-sticky=127.0.0.1:22" } }), {
        status: 200,
        headers: { "set-cookie": /^gateway-sticky=(?!127)/ },
      }),
    ],
  },
  {
    name: "the cookie does not tell where the host is",
    objects: shop(STICKY),
    steps: [step("GET /", { status: 200, headers: { "set-cookie": /^(?!.*127\.0\.0\.1)(?!.*MTI3)/ } })],
  },
  {
    name: "a session goes on among other cookies",
    objects: shop({ ...STICKY, sticky: { cookieName: "host" } }),
    steps: [
      step(request("GET /", { headers: { cookie: "ghost=1; my-host=2" } }), {
        status: 200,
        headers: { "set-cookie": /^host=/ },
        seen: { headers: { cookie: "ghost=1; my-host=2" } },
      }),
    ],
  },
  {
    name: "clients are not kept at hosts that are not well",
    objects: [
      backend("shop", {
        hosts: ["echo-a", "sick"].map((address) => ({ address, port: 8080 })),
        loadBalancer: STICKY,
        healthCheck: { path: "/how-are-you", interval: "20ms", healthyThreshold: 1, unhealthyThreshold: 1 },
      }),
      apiRoute("r", to("shop")),
    ],
    spread: { request: SAME_CLIENT, times: 10, shares: { "echo-a": [10, 10] }, settles: true },
  },
  {
    name: "other algorithms give no cookies",
    objects: shop({ algorithm: "roundRobin" }),
    steps: [step("GET /", { status: 200, headers: { "set-cookie": null } })],
  },
  {
    name: "cookies of clients with TLS are for TLS alone",
    objects: shop(STICKY),
    steps: [step(request("GET /", { tls: {} }), { status: 200, headers: { "set-cookie": /; Secure/ } })],
  },
];
