import { apiRoute, backend, prefix, request, step, to, weighted } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

/** Where requests go: weights, named backends, hosts of a backend, mirrors; and what happens when they fail. */
export const DESTINATIONS: readonly RoutingCase[] = [
  {
    name: "destinations get their share by weight",
    objects: [apiRoute("w", weighted({ "echo-a": 80, "echo-b": 20 }))],
    spread: { request: request("GET /"), times: 150, shares: { "echo-a": [90, 145], "echo-b": [5, 60] } },
  },
  {
    name: "a destination of weight 0 gets nothing",
    objects: [apiRoute("w", weighted({ "echo-a": 100, "echo-b": 0 }))],
    spread: { request: request("GET /"), times: 30, shares: { "echo-a": [30, 30] } },
  },
  {
    name: "destinations without weights have equal shares",
    objects: [apiRoute("w", to("echo-a", "echo-b"))],
    spread: { request: request("GET /"), times: 100, shares: { "echo-a": [20, 80], "echo-b": [20, 80] } },
  },
  {
    name: "destinations that all have weight 0 have equal shares",
    objects: [apiRoute("w", weighted({ "echo-a": 0, "echo-b": 0 }))],
    spread: { request: request("GET /"), times: 100, shares: { "echo-a": [20, 80], "echo-b": [20, 80] } },
  },
  {
    name: "a destination is a backend of the route's namespace by its name",
    objects: [
      backend("shop", { hosts: [{ address: "echo-a", port: 8080 }] }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    steps: [step("GET /", "echo-a")],
  },
  {
    name: "a backend of the same name in another namespace is another backend",
    objects: [
      backend("shop", { hosts: [{ address: "echo-a", port: 8080 }] }, { namespace: "one" }),
      backend("shop", { hosts: [{ address: "echo-b", port: 8080 }] }, { namespace: "two" }),
      apiRoute("r", { ...prefix("/one"), route: [{ destination: { host: "shop", port: 80 } }] }, { namespace: "one" }),
      apiRoute("r", { ...prefix("/two"), route: [{ destination: { host: "shop", port: 80 } }] }, { namespace: "two" }),
    ],
    steps: [step("GET /one", "echo-a"), step("GET /two", "echo-b")],
  },
  {
    name: "the hosts of a backend take turns",
    objects: [
      backend("shop", {
        hosts: [
          { address: "echo-a", port: 8080, weight: 1 },
          { address: "echo-b", port: 8080, weight: 1 },
        ],
      }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    spread: { request: request("GET /"), times: 10, shares: { "echo-a": [4, 6], "echo-b": [4, 6] } },
  },
  {
    name: "weighted hosts of a backend have their shares",
    objects: [
      backend("shop", {
        hosts: [
          { address: "echo-a", port: 8080, weight: 75 },
          { address: "echo-b", port: 8080, weight: 25 },
        ],
        loadBalancer: { algorithm: "weighted" },
      }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    spread: { request: request("GET /"), times: 100, shares: { "echo-a": [50, 97], "echo-b": [3, 50] } },
  },
  {
    name: "a consistent hash sends equal keys to one host",
    objects: [
      backend("shop", {
        hosts: [
          { address: "echo-a", port: 8080 },
          { address: "echo-b", port: 8080 },
        ],
        loadBalancer: { algorithm: "consistentHash", consistentHash: { header: "x-user" } },
      }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    oneBackend: { request: request("GET /", { headers: { "x-user": "ada" } }), times: 8 },
  },
  {
    name: "a destination that nobody listens at is answered with 503",
    objects: [apiRoute("r", to("refusing"))],
    steps: [step("GET /", { status: 503 })],
  },
  {
    name: "a destination that breaks off is an error of the gateway's other side",
    objects: [apiRoute("r", to("resetting"))],
    steps: [step("POST /", { status: [502, 503] })],
  },
  {
    name: "errors of backends reach the client as they are",
    objects: [apiRoute("r", to("broken"))],
    steps: [step("GET /", { status: 500, backend: "broken" })],
    asked: { broken: 1 },
  },
  {
    name: "an open circuit answers 503 without asking the backend",
    objects: [
      backend("shop", {
        hosts: [{ address: "broken", port: 8080 }],
        circuitBreaker: { enabled: true, threshold: 3, timeout: "1h" },
      }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    steps: [
      step("GET /", { status: 500 }),
      step("GET /", { status: 500 }),
      step("GET /", { status: 500 }),
      step("GET /", { status: 503 }),
      step("GET /", { status: 503 }),
    ],
    asked: { broken: 3 },
  },
  {
    name: "an open circuit of one backend leaves others alone",
    objects: [
      backend("bad", {
        hosts: [{ address: "broken", port: 8080 }],
        circuitBreaker: { enabled: true, threshold: 1, timeout: "1h" },
      }),
      backend("good", { hosts: [{ address: "echo-a", port: 8080 }] }),
      apiRoute("bad", { ...prefix("/bad"), route: [{ destination: { host: "bad", port: 80 } }] }),
      apiRoute("good", { ...prefix("/good"), route: [{ destination: { host: "good", port: 80 } }] }),
    ],
    steps: [step("GET /bad", { status: 500 }), step("GET /bad", { status: 503 }), step("GET /good", "echo-a")],
  },
  {
    name: "a host that keeps failing is left out for a while",
    objects: [
      backend("shop", {
        hosts: [
          { address: "broken", port: 8080 },
          { address: "echo-a", port: 8080 },
        ],
        outlierDetection: { enabled: true, consecutiveErrors: 2, baseEjectionTime: "1h", maxEjectionPercent: 50 },
      }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    spread: { request: request("GET /"), times: 20, shares: { broken: [2, 3], "echo-a": [17, 18] } },
  },
  {
    name: "a request that one host cannot take is tried at another",
    objects: [
      backend("shop", {
        hosts: [
          { address: "refusing", port: 8080 },
          { address: "echo-a", port: 8080 },
        ],
      }),
      apiRoute("r", {
        route: [{ destination: { host: "shop", port: 80 } }],
        retries: { attempts: 2, retryOn: "connect-failure", backoffBaseInterval: "1ms", budgetPercent: 100 },
      }),
    ],
    spread: { request: request("GET /"), times: 10, shares: { "echo-a": [10, 10] } },
  },
  {
    name: "a backend's own limit is for all routes that lead to it",
    within: 900,
    objects: [
      backend("shop", {
        hosts: [{ address: "echo-a", port: 8080 }],
        rateLimit: { enabled: true, requestsPerSecond: 1, burst: 2 },
      }),
      apiRoute("one", { ...prefix("/one"), route: [{ destination: { host: "shop", port: 80 } }] }),
      apiRoute("two", { ...prefix("/two"), route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    steps: [step("GET /one", "echo-a"), step("GET /two", "echo-a"), step("GET /one", { status: [429, 503] })],
    asked: { "echo-a": 2 },
  },
  {
    name: "a mirror gets a copy of the request, and its answer is dropped",
    objects: [apiRoute("m", { ...to("echo-a"), mirror: { destination: { host: "echo-b", port: 8080 } } })],
    steps: [step(request("POST /x", { body: "data" }), { status: 200, backend: "echo-a", seen: { body: "data" } })],
    asked: { "echo-a": 1, "echo-b": 1 },
  },
  {
    name: "a mirror that fails is no concern of the client",
    objects: [apiRoute("m", { ...to("echo-a"), mirror: { destination: { host: "refusing", port: 8080 } } })],
    steps: [step("GET /x", "echo-a"), step("GET /y", "echo-a")],
  },
  {
    name: "a mirror of 0 percent gets nothing",
    objects: [
      apiRoute("m", { ...to("echo-a"), mirror: { destination: { host: "echo-b", port: 8080 }, percentage: 0 } }),
    ],
    steps: [step("GET /x", "echo-a"), step("GET /y", "echo-a")],
    asked: { "echo-a": 2, "echo-b": 0 },
  },
  {
    name: "a backend's credentials are added on the way to it",
    objects: [
      backend("shop", {
        hosts: [{ address: "echo-a", port: 8080 }],
        authentication: { type: "basic", basic: { enabled: true, username: "ada", password: "pw" } },
      }),
      apiRoute("r", { route: [{ destination: { host: "shop", port: 80 } }] }),
    ],
    steps: [step("GET /", { status: 200, seen: { headers: { authorization: "Basic YWRhOnB3" } } })],
  },
];
