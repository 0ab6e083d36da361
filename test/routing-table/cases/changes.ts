import { apiRoute, exact, prefix, request, step, to } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

/** Rewrites, header changes, redirects and direct answers. */
export const CHANGES: readonly RoutingCase[] = [
  {
    name: "a rewrite takes the place of the matched prefix",
    objects: [apiRoute("r", { ...prefix("/foo"), rewrite: { uri: "/xyz" }, ...to("echo-a") })],
    steps: [
      step("GET /foo/bar", { status: 200, seen: { target: "/xyz/bar" } }),
      step("GET /foo", { status: 200, seen: { target: "/xyz" } }),
      step("GET /foo/", { status: 200, seen: { target: "/xyz/" } }),
    ],
  },
  {
    name: "slashes at the end of prefix and rewrite do not double",
    objects: [apiRoute("r", { ...prefix("/foo/"), rewrite: { uri: "/xyz/" }, ...to("echo-a") })],
    steps: [step("GET /foo/bar", { status: 200, seen: { target: "/xyz/bar" } })],
  },
  {
    name: "a prefix can be taken away",
    objects: [apiRoute("r", { ...prefix("/foo"), rewrite: { uri: "/" }, ...to("echo-a") })],
    steps: [
      step("GET /foo/bar", { status: 200, seen: { target: "/bar" } }),
      step("GET /foo", { status: 200, seen: { target: "/" } }),
      step("GET /foo/", { status: 200, seen: { target: "/" } }),
    ],
  },
  {
    name: "a rewrite of an exact path is the whole new path, and the query stays",
    objects: [apiRoute("r", { ...exact("/old"), rewrite: { uri: "/new/path" }, ...to("echo-a") })],
    steps: [step("GET /old?a=1&b", { status: 200, seen: { target: "/new/path?a=1&b" } })],
  },
  {
    name: "a rewrite takes the place of the prefix by which the request was found, and no other",
    objects: [
      apiRoute("r", {
        match: [
          { uri: { prefix: "/a" }, methods: ["GET"] },
          { uri: { prefix: "/a/b" }, methods: ["PUT"] },
          { uri: { exact: "/a/c" }, methods: ["PUT"] },
        ],
        rewrite: { uri: "/x" },
        ...to("echo-a"),
      }),
    ],
    steps: [
      step("GET /a/b/c", { status: 200, seen: { target: "/x/b/c" } }),
      step("PUT /a/b/c", { status: 200, seen: { target: "/x/c" } }),
      step("GET /a/c", { status: 200, seen: { target: "/x/c" } }),
      step("PUT /a/c", { status: 200, seen: { target: "/x" } }),
    ],
  },
  {
    name: "a route for every path, and one for all below a path, have prefixes that a rewrite takes the place of",
    objects: [
      apiRoute("all", { hosts: ["all.test"], rewrite: { uri: "/x" }, ...to("echo-a") }),
      apiRoute("below", { ...prefix("/a/**"), rewrite: { uri: "/x" }, ...to("echo-a") }),
    ],
    steps: [
      step("GET all.test/a", { status: 200, seen: { target: "/x/a" } }),
      step("GET /a/b", { status: 200, seen: { target: "/x/b" } }),
    ],
  },
  {
    name: "a rewrite may be written as people read it",
    objects: [
      apiRoute("prefix", { ...prefix("/a"), rewrite: { uri: "/café" }, ...to("echo-a") }),
      apiRoute("exact", { ...exact("/b/{user-name}"), rewrite: { uri: "/é/{user-name}" }, ...to("echo-a") }),
    ],
    steps: [
      step("GET /a/b", { status: 200, seen: { target: "/caf%C3%A9/b" } }),
      step("GET /b/joe", { status: 200, seen: { target: "/%C3%A9/joe" } }),
    ],
  },
  {
    name: "a name that the matched path does not have stays in a rewrite as it is written",
    objects: [apiRoute("r", { ...exact("/users/{id}"), rewrite: { uri: "/u/{id}/{other}" }, ...to("echo-a") })],
    steps: [step("GET /users/7", { status: 200, seen: { target: "/u/7/{other}" } })],
  },
  {
    name: "names of the matched path are filled into a rewrite",
    objects: [
      apiRoute("r", { ...exact("/users/{id}/orders/{order}"), rewrite: { uri: "/o/{order}/u/{id}" }, ...to("echo-a") }),
    ],
    steps: [step("GET /users/7/orders/9", { status: 200, seen: { target: "/o/9/u/7" } })],
  },
  {
    name: "the host that a backend sees can be rewritten",
    objects: [
      apiRoute("r", { ...prefix("/a"), rewrite: { authority: "internal.test" }, ...to("echo-a") }),
      apiRoute("plain", { ...prefix("/b"), ...to("echo-a") }),
    ],
    steps: [
      step("GET shop.test/a", { status: 200, seen: { host: "internal.test", target: "/a" } }),
      step("GET shop.test/b", { status: 200, seen: { host: "shop.test" } }),
    ],
  },
  {
    name: "headers of requests are set, added and removed",
    objects: [
      apiRoute("h", {
        headers: {
          request: { set: { "X-Set": "new" }, add: { "X-Added": "two" }, remove: ["X-Gone"] },
        },
        ...to("echo-a"),
      }),
    ],
    steps: [
      step(request("GET /", { headers: { "x-set": "old", "x-added": "one", "x-gone": "1", "x-kept": "k" } }), {
        status: 200,
        seen: { headers: { "x-set": "new", "x-added": /^one, ?two$/, "x-gone": null, "x-kept": "k" } },
      }),
    ],
  },
  {
    name: "headers of answers are set, added and removed",
    objects: [
      apiRoute("h", {
        headers: {
          response: { set: { "x-powered-by": "gateway" }, add: { "x-added": "1" }, remove: ["x-internal"] },
        },
        ...to("dressed"),
      }),
    ],
    steps: [step("GET /", { status: 200, headers: { "x-powered-by": "gateway", "x-added": "1", "x-internal": null } })],
  },
  {
    name: "headers of answers that are made here are changed too",
    objects: [
      apiRoute("h", {
        headers: { response: { set: { "x-by": "route" } } },
        directResponse: { status: 200, body: "x" },
      }),
    ],
    steps: [step("GET /", { status: 200, body: "x", headers: { "x-by": "route" } })],
  },
  {
    name: "backends are told who asks, by which scheme and for which host, and not what clients claim",
    objects: [apiRoute("f", to("echo-a"))],
    steps: [
      step(request("GET shop.test/", { headers: { "x-forwarded-for": "6.6.6.6", "x-forwarded-proto": "https" } }), {
        status: 200,
        seen: {
          headers: {
            "x-forwarded-for": /^(::ffff:)?127\.0\.0\.1$/,
            "x-forwarded-proto": "http",
            "x-forwarded-host": "shop.test",
          },
        },
      }),
    ],
  },
  {
    name: "headers about the connection end at the gateway",
    onlyHttp1: true,
    objects: [apiRoute("f", to("echo-a"))],
    steps: [
      step(
        request("GET /", {
          headers: { connection: "close, x-hop", "x-hop": "1", "keep-alive": "timeout=5", "proxy-connection": "close" },
        }),
        { status: 200, seen: { headers: { "x-hop": null, "keep-alive": null, "proxy-connection": null } } },
      ),
    ],
  },
  {
    name: "method and body reach the backend as they are",
    objects: [apiRoute("b", to("echo-a"))],
    steps: [
      step(request("POST /", { body: "some text" }), { status: 200, seen: { method: "POST", body: "some text" } }),
      step(request("DELETE /", { body: "" }), { status: 200, seen: { method: "DELETE", body: "" } }),
    ],
  },
  {
    name: "status and headers of a backend reach the client as they are",
    objects: [
      apiRoute("teapot", { ...prefix("/tea"), ...to("teapot") }),
      apiRoute("created", { ...prefix("/new"), ...to("created") }),
    ],
    steps: [
      step("GET /tea", { status: 418, backend: "teapot" }),
      step("POST /new", { status: 201, headers: { location: "/things/1" } }),
    ],
  },
  {
    name: "a redirect keeps path and query, with 302 unless said otherwise",
    objects: [apiRoute("r", { redirect: { host: "new.test" } })],
    steps: [step("GET old.test/a/b?c=d", { status: 302, headers: { location: "http://new.test/a/b?c=d" } })],
  },
  {
    name: "a redirect to https leaves the usual port out",
    objects: [apiRoute("r", { redirect: { scheme: "https", code: 301 } })],
    steps: [
      step("GET shop.test/a", { status: 301, headers: { location: "https://shop.test/a" } }),
      step("GET shop.test:8080/a", { status: 301, headers: { location: "https://shop.test/a" } }),
    ],
  },
  {
    name: "a redirect to another port says it, unless it is the usual one",
    objects: [
      apiRoute("other", { ...prefix("/other"), redirect: { scheme: "https", port: 8443 } }),
      apiRoute("usual", { ...prefix("/usual"), redirect: { scheme: "https", port: 443 } }),
    ],
    steps: [
      step("GET shop.test/other", { status: 302, headers: { location: "https://shop.test:8443/other" } }),
      step("GET shop.test/usual", { status: 302, headers: { location: "https://shop.test/usual" } }),
    ],
  },
  {
    name: "a redirect to another path keeps the query, unless it is to be left out",
    objects: [
      apiRoute("keep", { ...prefix("/keep"), redirect: { uri: "/new", code: 308 } }),
      apiRoute("strip", { ...prefix("/strip"), redirect: { uri: "/new", stripQuery: true, code: 307 } }),
    ],
    steps: [
      step("GET shop.test/keep?a=1", { status: 308, headers: { location: "http://shop.test/new?a=1" } }),
      step("GET shop.test/strip?a=1", { status: 307, headers: { location: "http://shop.test/new" } }),
    ],
  },
  {
    name: "a redirect cannot be bent to another host by the path",
    objects: [apiRoute("r", { redirect: { scheme: "https" } })],
    steps: [step("GET shop.test//evil.test/x", { status: 302, headers: { location: /^https:\/\/shop\.test\// } })],
  },
  {
    name: "a direct answer has the status, body and headers of the route",
    objects: [
      apiRoute("d", {
        ...prefix("/status"),
        directResponse: {
          status: 503,
          body: '{"up":false}',
          headers: { "Content-Type": "application/json", "x-a": "1" },
        },
      }),
    ],
    steps: [
      step("GET /status", {
        status: 503,
        json: { up: false },
        headers: { "content-type": /^application\/json/, "x-a": "1" },
      }),
    ],
  },
  {
    name: "a direct answer may have no body",
    objects: [apiRoute("d", { directResponse: { status: 204 } })],
    steps: [step("GET /", { status: 204, body: "" }), step("HEAD /", { status: 204, body: "" })],
  },
];
