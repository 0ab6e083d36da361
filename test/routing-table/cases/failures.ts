import { apiRoute, prefix, request, step, to } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

/** As much budget as a case with one request at a time can use. */
const retries = (retryOn: string, more: Readonly<Record<string, unknown>> = {}) => ({
  retries: { attempts: 3, retryOn, backoffBaseInterval: "1ms", budgetPercent: 100, ...more },
});

/** Retries, timeouts and injected faults. */
export const FAILURES: readonly RoutingCase[] = [
  {
    name: "without retries a failure is the answer",
    objects: [apiRoute("r", to("failing-twice"))],
    steps: [step("GET /", { status: 503, backend: "failing-twice" })],
    asked: { "failing-twice": 1 },
  },
  {
    name: "with retries on 5xx a request is tried again until it succeeds",
    objects: [apiRoute("r", { ...to("failing-twice"), ...retries("5xx") })],
    steps: [step("GET /", { status: 200, backend: "failing-twice" })],
    asked: { "failing-twice": 3 },
  },
  {
    name: "a request is not tried again more often than attempts says, and the last answer counts",
    objects: [apiRoute("r", { ...to("failing"), ...retries("5xx", { attempts: 2 }) })],
    steps: [step("GET /", { status: 503 })],
    asked: { failing: 3 },
  },
  {
    name: "the body is sent again with each try",
    objects: [apiRoute("r", { ...to("failing-twice"), ...retries("5xx") })],
    steps: [step(request("PUT /", { body: "important" }), { status: 200, seen: { method: "PUT", body: "important" } })],
    asked: { "failing-twice": 3 },
  },
  {
    name: "gateway-error is 502, 503 and 504, not 500",
    objects: [
      apiRoute("bad-gateway", { ...prefix("/502"), ...to("bad-gateway-once"), ...retries("gateway-error") }),
      apiRoute("internal", { ...prefix("/500"), ...to("internal-once"), ...retries("gateway-error") }),
    ],
    steps: [step("GET /502", { status: 200 }), step("GET /500", { status: 500 })],
    asked: { "bad-gateway-once": 2, "internal-once": 1 },
  },
  {
    name: "retriable-4xx is 409",
    objects: [
      apiRoute("conflict", { ...prefix("/409"), ...to("conflict-once"), ...retries("retriable-4xx") }),
      apiRoute("missing", { ...prefix("/404"), ...to("missing"), ...retries("retriable-4xx") }),
    ],
    steps: [step("GET /409", { status: 200 }), step("GET /404", { status: 404 })],
    asked: { "conflict-once": 2, missing: 1 },
  },
  {
    name: "a connection that breaks off is tried again on reset",
    objects: [apiRoute("r", { ...to("reset-once"), ...retries("reset") })],
    steps: [step("GET /", { status: 200, backend: "reset-once" })],
    asked: { "reset-once": 2 },
  },
  {
    name: "answers that retryOn does not name are passed on",
    objects: [apiRoute("r", { ...to("failing-once"), ...retries("connect-failure") })],
    steps: [step("GET /", { status: 503 })],
    asked: { "failing-once": 1 },
  },
  {
    name: "a try that takes too long is given up and tried again",
    objects: [apiRoute("r", { ...to("hanging-once"), ...retries("5xx", { perTryTimeout: "500ms" }), timeout: "30s" })],
    steps: [step("GET /", { status: 200, backend: "hanging-once" })],
    asked: { "hanging-once": 2 },
  },
  {
    name: "a connection that is refused is tried again, and in the end answered with 503",
    objects: [apiRoute("r", { ...to("refusing"), ...retries("connect-failure", { attempts: 2 }) })],
    steps: [step("GET /", { status: 503 })],
  },
  {
    name: "a request that takes longer than the route's timeout is answered with 504",
    objects: [apiRoute("t", { ...to("hanging"), timeout: "100ms" })],
    steps: [step("GET /", { status: 504 })],
    asked: { hanging: 1 },
  },
  {
    name: "a request that is in time is not cut short",
    objects: [apiRoute("t", { ...to("slow"), timeout: "30s" })],
    steps: [step("GET /", "slow")],
  },
  {
    name: "the timeout of a route is for all tries together",
    objects: [apiRoute("t", { ...to("hanging"), timeout: "300ms", ...retries("5xx", { perTryTimeout: "10s" }) })],
    steps: [step("GET /", { status: 504 })],
    asked: { hanging: 1 },
  },
  {
    name: "a fault that aborts is answered with its status, without asking the backend",
    objects: [apiRoute("f", { ...to("echo-a"), fault: { abort: { httpStatus: 418, percentage: 100 } } })],
    steps: [step("GET /", { status: 418 })],
    asked: { "echo-a": 0 },
  },
  {
    name: "a fault of 0 percent never happens",
    objects: [apiRoute("f", { ...to("echo-a"), fault: { abort: { httpStatus: 418, percentage: 0 } } })],
    steps: [step("GET /", "echo-a"), step("GET /", "echo-a")],
  },
  {
    name: "a fault that delays lets the request through in the end",
    objects: [apiRoute("f", { ...to("echo-a"), fault: { delay: { fixedDelay: "50ms", percentage: 100 } } })],
    steps: [step("GET /", "echo-a")],
  },
  {
    name: "a delay counts towards the timeout of the route",
    objects: [
      apiRoute("f", { ...to("echo-a"), timeout: "50ms", fault: { delay: { fixedDelay: "1h", percentage: 100 } } }),
    ],
    steps: [step("GET /", { status: 504 })],
    asked: { "echo-a": 0 },
  },
  {
    name: "a fault of half the requests happens to about half of them",
    objects: [apiRoute("f", { ...to("echo-a"), fault: { abort: { httpStatus: 503, percentage: 50 } } })],
    spread: { request: request("GET /"), times: 100, shares: { "echo-a": [20, 80], "503": [20, 80] } },
  },
];
