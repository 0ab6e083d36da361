import { BASIC } from "../credentials.ts";
import { apiRoute, request, step, to } from "../manifests.ts";
import type { CaseRequest, RoutingCase } from "../routing-case.ts";

const preflight = (origin: string, method: string, headers?: string): CaseRequest =>
  request("OPTIONS /x", {
    headers: {
      origin,
      "access-control-request-method": method,
      ...(headers !== undefined && { "access-control-request-headers": headers }),
    },
  });

const from = (origin: string): CaseRequest => request("GET /x", { headers: { origin } });

const SHOP = "https://shop.test";

/** A route that takes requests with a token alone, which a browser sends after its preflight. */
function behindToken(name: string, more: { readonly methods?: readonly string[] }): RoutingCase {
  return {
    name,
    objects: [
      apiRoute("c", {
        match: [{ uri: { prefix: "/x" }, headers: [{ name: "x-token", present: true }], ...more }],
        ...to("echo-a"),
        cors: { allowOrigins: [SHOP], allowMethods: ["PUT"], allowHeaders: ["X-Token"] },
      }),
    ],
    steps: [
      step(preflight(SHOP, "PUT", "x-token"), {
        status: [200, 204],
        headers: { "access-control-allow-origin": SHOP },
      }),
      step(request("OPTIONS /x", {}), { status: 404 }),
    ],
    asked: { "echo-a": 0 },
  };
}

/** CORS and security headers. */
export const BROWSERS: readonly RoutingCase[] = [
  {
    name: "a preflight of a site that may call is answered by the gateway",
    objects: [
      apiRoute("c", {
        ...to("echo-a"),
        cors: { allowOrigins: [SHOP], allowMethods: ["GET", "PUT"], allowHeaders: ["X-Token"], maxAge: 600 },
      }),
    ],
    steps: [
      step(preflight(SHOP, "PUT", "x-token"), {
        status: [200, 204],
        headers: {
          "access-control-allow-origin": SHOP,
          "access-control-allow-methods": /GET, ?PUT/,
          "access-control-allow-headers": /x-token/i,
          "access-control-max-age": "600",
        },
      }),
    ],
    asked: { "echo-a": 0 },
  },
  behindToken(
    "a preflight finds the route that the request to come is for, though that lists neither OPTIONS nor its headers",
    {
      methods: ["PUT"],
    },
  ),
  behindToken(
    "a preflight finds a route for all methods by its path, though the header is not there yet that the route asks for",
    {},
  ),
  {
    name: "a preflight of another site gets no permission",
    objects: [apiRoute("c", { ...to("echo-a"), cors: { allowOrigins: [SHOP] } })],
    steps: [
      step(preflight("https://evil.test", "GET"), {
        status: [200, 204, 403],
        headers: { "access-control-allow-origin": null },
      }),
    ],
    asked: { "echo-a": 0 },
  },
  {
    name: "answers to a site that may call say so, and what it may read",
    objects: [apiRoute("c", { ...to("echo-a"), cors: { allowOrigins: [SHOP], exposeHeaders: ["X-Total"] } })],
    steps: [
      step(from(SHOP), {
        status: 200,
        headers: {
          "access-control-allow-origin": SHOP,
          "access-control-expose-headers": /x-total/i,
          vary: /origin/i,
        },
      }),
      step(from("https://evil.test"), { status: 200, headers: { "access-control-allow-origin": null } }),
      step("GET /x", { status: 200, headers: { "access-control-allow-origin": null } }),
    ],
  },
  {
    name: "a star lets all sites call",
    objects: [apiRoute("c", { ...to("echo-a"), cors: { allowOrigins: ["*"] } })],
    steps: [
      step(from("https://any.test"), {
        status: 200,
        headers: { "access-control-allow-origin": /^(\*|https:\/\/any\.test)$/ },
      }),
    ],
  },
  {
    name: "a pattern lets the sites below a name call",
    objects: [apiRoute("c", { ...to("echo-a"), cors: { allowOrigins: ["https://*.shop.test"] } })],
    steps: [
      step(from("https://a.shop.test"), { headers: { "access-control-allow-origin": "https://a.shop.test" } }),
      step(from("https://shop.test.evil.test"), { headers: { "access-control-allow-origin": null } }),
      step(from("http://a.shop.test"), { headers: { "access-control-allow-origin": null } }),
    ],
  },
  {
    name: "with credentials the answer names the site, never a star",
    objects: [apiRoute("c", { ...to("echo-a"), cors: { allowOrigins: ["*"], allowCredentials: true } })],
    steps: [
      step(from(SHOP), {
        headers: { "access-control-allow-origin": SHOP, "access-control-allow-credentials": "true" },
      }),
    ],
  },
  {
    name: "what a backend says about other sites gives way to what the route says",
    objects: [apiRoute("c", { ...to("open"), cors: { allowOrigins: [SHOP] } })],
    steps: [step(from(SHOP), { headers: { "access-control-allow-origin": SHOP } })],
  },
  {
    name: "without cors what a backend says about other sites is passed on",
    objects: [apiRoute("c", to("open"))],
    steps: [step(from(SHOP), { headers: { "access-control-allow-origin": "https://backend.test" } })],
  },
  {
    name: "OPTIONS that is no preflight goes to the backend",
    objects: [apiRoute("c", { ...to("echo-a"), cors: { allowOrigins: [SHOP] } })],
    steps: [step("OPTIONS /x", { status: 200, backend: "echo-a", seen: { method: "OPTIONS" } })],
  },
  {
    name: "a preflight is answered before anybody has to say who they are",
    objects: [
      apiRoute("c", {
        ...to("echo-a"),
        cors: { allowOrigins: [SHOP], allowHeaders: ["Authorization"] },
        authentication: { enabled: true, basic: BASIC },
      }),
    ],
    steps: [
      step(preflight(SHOP, "GET", "authorization"), {
        status: [200, 204],
        headers: { "access-control-allow-origin": SHOP },
      }),
      step(from(SHOP), { status: 401, headers: { "access-control-allow-origin": SHOP } }),
    ],
  },
  {
    name: "security headers are set on answers, in place of the backend's",
    objects: [
      apiRoute("s", {
        ...to("dressed"),
        security: {
          enabled: true,
          headers: {
            enabled: true,
            xFrameOptions: "DENY",
            xContentTypeOptions: "nosniff",
            customHeaders: { "X-Own": "1" },
          },
          referrerPolicy: "no-referrer",
        },
      }),
    ],
    steps: [
      step("GET /", {
        status: 200,
        headers: {
          "x-frame-options": "DENY",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "x-own": "1",
        },
      }),
    ],
  },
  {
    name: "a content security policy is sent, or only reported about",
    objects: [
      apiRoute("s", {
        match: [{ uri: { prefix: "/strict" } }],
        directResponse: { status: 200, body: "x" },
        security: { enabled: true, csp: { enabled: true, policy: "default-src 'self'" } },
      }),
      apiRoute("r", {
        match: [{ uri: { prefix: "/report" } }],
        directResponse: { status: 200, body: "x" },
        security: {
          enabled: true,
          csp: { enabled: true, policy: "default-src 'self'", reportOnly: true, reportUri: "/csp" },
        },
      }),
    ],
    steps: [
      step("GET /strict", {
        headers: { "content-security-policy": "default-src 'self'", "content-security-policy-report-only": null },
      }),
      step("GET /report", {
        headers: {
          "content-security-policy": null,
          "content-security-policy-report-only": /^default-src 'self'; report-uri \/csp$/,
        },
      }),
    ],
  },
  {
    name: "strict transport security is not told over plain connections",
    objects: [apiRoute("s", { ...to("echo-a"), security: { enabled: true, hsts: { enabled: true, maxAge: 3600 } } })],
    steps: [step("GET /", { status: 200, headers: { "strict-transport-security": null } })],
  },
  {
    name: "security headers that are not enabled are not sent",
    objects: [
      apiRoute("s", {
        ...to("echo-a"),
        security: { enabled: false, headers: { enabled: true, xFrameOptions: "DENY" } },
      }),
    ],
    steps: [step("GET /", { status: 200, headers: { "x-frame-options": null } })],
  },
];
