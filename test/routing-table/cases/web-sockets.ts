import { BASIC, basicHeader } from "../credentials.ts";
import { apiRoute, backend, prefix, request, step, to } from "../manifests.ts";
import type { CaseRequest, Expected, RoutingCase } from "../routing-case.ts";

const opened = (line: string, more: Partial<CaseRequest> = {}): CaseRequest =>
  request(`GET ${line}`, { webSocket: ["hello"], ...more });
/** The first line is what the backend saw, then come the messages. */
const REPEATED: Expected = { status: 101, backend: "web-socket", body: /\nhello$/ };

/** Connections that become WebSockets, which are made by HTTP/1.1. */
export const WEB_SOCKETS: readonly RoutingCase[] = [
  {
    name: "a WebSocket carries messages both ways until it is closed",
    objects: [apiRoute("r", to("web-socket"))],
    steps: [
      step(opened("/chat?room=1", { webSocket: ["one", "two", "three"] }), {
        status: 101,
        headers: { upgrade: /^websocket$/i, "sec-websocket-accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" },
        backend: "web-socket",
        seen: { method: "GET", target: "/chat?room=1", host: "gateway.test" },
        body: /\none\ntwo\nthree$/,
      }),
    ],
  },
  {
    name: "messages are passed on whatever their length",
    objects: [apiRoute("r", to("web-socket"))],
    steps: [step(opened("/", { webSocket: ["x".repeat(60_000), ""] }), { status: 101, body: /\nx{60000}\n$/ })],
  },
  {
    name: "the handshake reaches the backend as the client made it",
    objects: [apiRoute("r", to("web-socket"))],
    steps: [
      step(opened("/", { headers: { "sec-websocket-protocol": "chat, mqtt", origin: "https://shop.test" } }), {
        ...REPEATED,
        headers: { "sec-websocket-protocol": "chat" },
        seen: {
          headers: {
            connection: /upgrade/i,
            upgrade: "websocket",
            "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
            "sec-websocket-protocol": "chat, mqtt",
            origin: "https://shop.test",
          },
        },
      }),
    ],
  },
  {
    name: "routes are found for WebSockets as for other requests",
    objects: [
      apiRoute("chat", { ...prefix("/chat"), ...to("web-socket") }),
      apiRoute("rest", { ...prefix("/rest"), ...to("echo-a") }),
    ],
    steps: [
      step(opened("/chat/1"), REPEATED),
      step("GET /rest", "echo-a"),
      step(opened("/elsewhere"), { status: 404 }),
    ],
  },
  {
    name: "a route can be for WebSockets alone",
    objects: [
      apiRoute("sockets", {
        match: [{ uri: { prefix: "/" }, headers: [{ name: "upgrade", exact: "websocket" }] }],
        ...to("web-socket"),
      }),
      apiRoute("others", { ...prefix("/"), ...to("echo-a") }),
    ],
    steps: [step(opened("/"), REPEATED), step("GET /", "echo-a")],
  },
  {
    name: "paths are rewritten for WebSockets",
    objects: [apiRoute("r", { ...prefix("/chat"), ...to("web-socket"), rewrite: { uri: "/socket" } })],
    steps: [step(opened("/chat/1"), { ...REPEATED, seen: { target: "/socket/1" } })],
  },
  {
    name: "headers are changed for WebSockets",
    objects: [apiRoute("r", { ...to("web-socket"), headers: { request: { set: { "x-by": "gateway" } } } })],
    steps: [step(opened("/"), { ...REPEATED, seen: { headers: { "x-by": "gateway" } } })],
  },
  {
    name: "a backend that opens no WebSocket answers the client itself",
    objects: [apiRoute("r", to("echo-a"))],
    steps: [step(opened("/"), { status: 200, backend: "echo-a" })],
  },
  {
    name: "a backend for WebSockets alone says so to other requests",
    objects: [apiRoute("r", to("web-socket"))],
    steps: [step("GET /", { status: 426, backend: "web-socket" })],
  },
  {
    name: "a WebSocket to a backend that is away is refused",
    objects: [apiRoute("r", to("refusing"))],
    steps: [step(opened("/"), { status: [502, 503] })],
  },
  {
    name: "a WebSocket is opened for those alone who may",
    objects: [apiRoute("r", { ...to("web-socket"), authentication: { enabled: true, basic: BASIC } })],
    steps: [step(opened("/"), { status: 401 }), step(opened("/", { headers: basicHeader("ada", "pw") }), REPEATED)],
    asked: { "web-socket": 1 },
  },
  {
    name: "WebSockets count for rate limits",
    objects: [apiRoute("r", { ...to("web-socket"), rateLimit: { enabled: true, requestsPerSecond: 1, burst: 1 } })],
    steps: [step(opened("/"), REPEATED), step(opened("/"), { status: 429 })],
    within: 900,
  },
  {
    name: "redirects hold for WebSockets",
    objects: [apiRoute("r", { redirect: { uri: "/there", code: 307 } })],
    steps: [step(opened("/here"), { status: 307 })],
  },
  {
    name: "a WebSocket comes with TLS",
    objects: [apiRoute("r", to("web-socket"))],
    steps: [
      step(opened("shop.test/", { tls: {} }), {
        ...REPEATED,
        certificate: "shop.test",
        seen: { headers: { "x-forwarded-proto": "https" } },
      }),
    ],
  },
  {
    name: "a WebSocket is opened to a backend with TLS",
    objects: [
      backend("shop", {
        hosts: [{ address: "web-socket-tls", port: 8080 }],
        tls: { enabled: true, caFile: "authority.pem", serverName: "backend.test" },
      }),
      apiRoute("r", to("shop")),
    ],
    steps: [step(opened("/"), { ...REPEATED, backend: "web-socket-tls" })],
  },
  {
    name: "WebSockets of a client that keeps its cookie stay with its host",
    objects: [
      backend("shop", {
        hosts: ["web-socket", "web-socket"].map((address) => ({ address, port: 8080 })),
        loadBalancer: { algorithm: "sticky" },
      }),
      apiRoute("r", to("shop")),
    ],
    steps: [step(opened("/", { cookies: true }), { ...REPEATED, headers: { "set-cookie": /^gateway-sticky=/ } })],
  },
];
