import { BASIC } from "../credentials.ts";
import { apiRoute, prefix, request, step, to } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

const rateLimit = (burst: number, more: Readonly<Record<string, unknown>> = {}) => ({
  rateLimit: { enabled: true, requestsPerSecond: 1, burst, ...more },
});

const asUser = (user: string) => request("GET /", { headers: { "x-user": user } });

/** Rate limits, sessions, and sizes of requests. */
export const LIMITS: readonly RoutingCase[] = [
  {
    name: "more requests than the burst are answered with 429, and told when to come back",
    within: 900,
    objects: [apiRoute("l", { ...to("echo-a"), ...rateLimit(2) })],
    steps: [
      step("GET /", "echo-a"),
      step("GET /", "echo-a"),
      step("GET /", { status: 429, headers: { "retry-after": /^\d+$/ } }),
    ],
    asked: { "echo-a": 2 },
  },
  {
    name: "a limit that is not enabled limits nothing",
    objects: [apiRoute("l", { ...to("echo-a"), rateLimit: { enabled: false, requestsPerSecond: 1, burst: 1 } })],
    steps: [step("GET /", "echo-a"), step("GET /", "echo-a"), step("GET /", "echo-a")],
  },
  {
    name: "each route has a limit of its own",
    within: 900,
    objects: [
      apiRoute("one", { ...prefix("/one"), ...to("echo-a"), ...rateLimit(1) }),
      apiRoute("two", { ...prefix("/two"), ...to("echo-b"), ...rateLimit(1) }),
    ],
    steps: [step("GET /one", "echo-a"), step("GET /one", { status: 429 }), step("GET /two", "echo-b")],
  },
  {
    name: "a limit by header counts each of its values",
    within: 900,
    objects: [apiRoute("l", { ...to("echo-a"), ...rateLimit(1, { key: { header: "X-User" } }) })],
    steps: [
      step(asUser("ada"), "echo-a"),
      step(asUser("bo"), "echo-a"),
      step(asUser("ada"), { status: 429 }),
      step(asUser("bo"), { status: 429 }),
    ],
  },
  {
    name: "a limit per client counts the clients' addresses, not what they claim",
    within: 900,
    objects: [apiRoute("l", { ...to("echo-a"), ...rateLimit(1, { perClient: true }) })],
    steps: [
      step("GET /", "echo-a"),
      step(request("GET /", { headers: { "x-forwarded-for": "9.9.9.9" } }), { status: 429 }),
    ],
  },
  {
    name: "a limit comes before authentication",
    within: 900,
    objects: [
      apiRoute("l", {
        ...to("echo-a"),
        ...rateLimit(1),
        authentication: { enabled: true, basic: BASIC },
      }),
    ],
    steps: [step("GET /", { status: 401 }), step("GET /", { status: 429 })],
  },
  {
    name: "more requests at the same time than sessions are answered with 503",
    objects: [apiRoute("s", { ...to("slow"), maxSessions: { enabled: true, maxConcurrent: 2 } })],
    together: { request: request("GET /"), times: 5, statuses: { 200: 2, 503: 3 } },
  },
  {
    name: "requests wait for a session where there is a queue",
    objects: [
      apiRoute("s", {
        ...to("slow"),
        maxSessions: { enabled: true, maxConcurrent: 2, queueSize: 3, queueTimeout: "30s" },
      }),
    ],
    together: { request: request("GET /"), times: 6, statuses: { 200: 5, 503: 1 } },
  },
  {
    name: "a body that is larger than the route takes is answered with 413",
    objects: [apiRoute("b", { ...to("echo-a"), requestLimits: { maxBodySize: 10 } })],
    steps: [
      step(request("POST /", { body: "0123456789" }), { status: 200, seen: { body: "0123456789" } }),
      step(request("POST /", { body: "0123456789x" }), { status: 413 }),
    ],
    asked: { "echo-a": 1 },
  },
  {
    name: "a body of unknown length is answered with 413 as soon as it is larger than the route takes",
    objects: [apiRoute("b", { ...to("echo-c"), requestLimits: { maxBodySize: 10 } })],
    steps: [
      step(request("POST /", { headers: { "transfer-encoding": "chunked" }, body: "0123456789" }), "echo-c"),
      step(request("POST /", { headers: { "transfer-encoding": "chunked" }, body: "0123456789x" }), { status: 413 }),
    ],
  },
  {
    name: "headers that are larger than the route takes are answered with 431",
    objects: [apiRoute("b", { ...to("echo-a"), requestLimits: { maxHeaderSize: 500 } })],
    steps: [
      step("GET /", "echo-a"),
      step(request("GET /", { headers: { "x-big": "x".repeat(600) } }), { status: 431 }),
    ],
    asked: { "echo-a": 1 },
  },
];
