import { NOT_FOUND, apiRoute, exact, prefix, regex, request, step, to } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

/** Which of several routes a request goes by: per entry of match, across all routes, whatever the order of the objects. */
export const PRECEDENCE: readonly RoutingCase[] = [
  {
    name: "an exact path wins over a prefix",
    objects: [
      apiRoute("prefix", { ...prefix("/a/b"), ...to("echo-b") }),
      apiRoute("exact", { ...exact("/a/b"), ...to("echo-a") }),
    ],
    steps: [step("GET /a/b", "echo-a"), step("GET /a/b/c", "echo-b")],
  },
  {
    name: "the longer prefix wins",
    objects: [
      apiRoute("short", { ...prefix("/a"), ...to("echo-b") }),
      apiRoute("long", { ...prefix("/a/b"), ...to("echo-a") }),
      apiRoute("root", { ...prefix("/"), ...to("echo-c") }),
    ],
    steps: [step("GET /a/b/c", "echo-a"), step("GET /a/c", "echo-b"), step("GET /c", "echo-c")],
  },
  {
    name: "regular expressions come after prefixes, the longer pattern first",
    objects: [
      apiRoute("short", { ...regex("/x/.*"), ...to("echo-b") }),
      apiRoute("long", { ...regex("/x/[0-9]+"), ...to("echo-a") }),
      apiRoute("prefix", { ...prefix("/x/7"), ...to("echo-c") }),
    ],
    steps: [step("GET /x/5", "echo-a"), step("GET /x/a", "echo-b"), step("GET /x/7", "echo-c")],
  },
  {
    name: "a literal element wins over a name",
    objects: [
      apiRoute("name", { ...exact("/users/{id}"), ...to("echo-b") }),
      apiRoute("me", { ...exact("/users/me"), ...to("echo-a") }),
      apiRoute("below", { ...prefix("/users/{id}"), ...to("echo-c") }),
    ],
    steps: [step("GET /users/me", "echo-a"), step("GET /users/42", "echo-b"), step("GET /users/42/x", "echo-c")],
  },
  {
    name: "of two templates the one that is literal first wins",
    objects: [
      apiRoute("late", { ...exact("/{kind}/new"), ...to("echo-b") }),
      apiRoute("early", { ...exact("/users/{id}"), ...to("echo-a") }),
    ],
    steps: [step("GET /users/new", "echo-a"), step("GET /shops/new", "echo-b")],
  },
  {
    name: "the deeper of a template and a prefix wins",
    objects: [
      apiRoute("prefix", { ...prefix("/users"), ...to("echo-b") }),
      apiRoute("template", { ...prefix("/users/{id}/orders"), ...to("echo-a") }),
    ],
    steps: [step("GET /users/1/orders/2", "echo-a"), step("GET /users/1", "echo-b")],
  },
  {
    name: "of equal paths the one with a method wins",
    objects: [
      apiRoute("a-any", { ...prefix("/"), ...to("echo-b") }),
      apiRoute("b-get", { ...prefix("/", { methods: ["GET"] }), ...to("echo-a") }),
    ],
    steps: [step("GET /", "echo-a"), step("POST /", "echo-b")],
  },
  {
    name: "of equal paths the one with more headers wins",
    objects: [
      apiRoute("a-one", { ...prefix("/", { headers: [{ name: "a", exact: "1" }] }), ...to("echo-b") }),
      apiRoute("b-two", {
        ...prefix("/", {
          headers: [
            { name: "a", exact: "1" },
            { name: "b", present: true },
          ],
        }),
        ...to("echo-a"),
      }),
      apiRoute("c-none", { ...prefix("/"), ...to("echo-c") }),
    ],
    steps: [
      step(request("GET /", { headers: { a: "1", b: "2" } }), "echo-a"),
      step(request("GET /", { headers: { a: "1" } }), "echo-b"),
      step("GET /", "echo-c"),
    ],
  },
  {
    name: "of equal paths the one with more query parameters wins",
    objects: [
      apiRoute("a-none", { ...prefix("/"), ...to("echo-b") }),
      apiRoute("b-one", { ...prefix("/", { queryParams: [{ name: "q", exact: "1" }] }), ...to("echo-a") }),
    ],
    steps: [step("GET /?q=1", "echo-a"), step("GET /?q=2", "echo-b")],
  },
  {
    name: "a method weighs more than any number of headers",
    objects: [
      apiRoute("a-headers", {
        ...prefix("/", {
          headers: [
            { name: "a", present: true },
            { name: "b", present: true },
          ],
        }),
        ...to("echo-b"),
      }),
      apiRoute("b-method", { ...prefix("/", { methods: ["GET"] }), ...to("echo-a") }),
    ],
    steps: [
      step(request("GET /", { headers: { a: "1", b: "2" } }), "echo-a"),
      step(request("PUT /", { headers: { a: "1", b: "2" } }), "echo-b"),
    ],
  },
  {
    name: "a header weighs more than any number of query parameters",
    objects: [
      apiRoute("a-queries", {
        ...prefix("/", {
          queryParams: [
            { name: "q", present: true },
            { name: "r", present: true },
          ],
        }),
        ...to("echo-b"),
      }),
      apiRoute("b-header", { ...prefix("/", { headers: [{ name: "a", present: true }] }), ...to("echo-a") }),
    ],
    steps: [step(request("GET /?q&r", { headers: { a: "1" } }), "echo-a"), step("GET /?q&r", "echo-b")],
  },
  {
    name: "the path weighs more than everything after it",
    objects: [
      apiRoute("a-details", {
        ...prefix("/a", { methods: ["GET"], headers: [{ name: "x", present: true }] }),
        ...to("echo-b"),
      }),
      apiRoute("b-longer", { ...prefix("/a/b"), ...to("echo-a") }),
    ],
    steps: [step(request("GET /a/b", { headers: { x: "1" } }), "echo-a")],
  },
  {
    name: "a more specific path that asks for what the request has not gives way",
    objects: [
      apiRoute("exact", { ...exact("/a/b", { methods: ["POST"] }), ...to("echo-b") }),
      apiRoute("prefix", { ...prefix("/a"), ...to("echo-a") }),
    ],
    steps: [step("GET /a/b", "echo-a"), step("POST /a/b", "echo-b")],
  },
  {
    name: "of equal routes the older one wins",
    objects: [
      apiRoute("a-young", to("echo-b"), { creationTimestamp: "2026-03-01T00:00:00Z" }),
      apiRoute("b-old", to("echo-a"), { creationTimestamp: "2026-01-01T00:00:00Z" }),
    ],
    steps: [step("GET /", "echo-a")],
  },
  {
    name: "of equally old routes the first by namespace and name wins",
    objects: [
      apiRoute("b", to("echo-b"), { namespace: "one" }),
      apiRoute("a", to("echo-a"), { namespace: "one" }),
      apiRoute("0", to("echo-c"), { namespace: "two" }),
    ],
    steps: [step("GET /", "echo-a")],
  },
  {
    name: "the exact host wins over the wildcard, and that over any host, whatever the paths are",
    objects: [
      apiRoute("any", { ...exact("/x/y"), ...to("echo-c") }),
      apiRoute("wildcard", { hosts: ["*.shop.test"], ...prefix("/x"), ...to("echo-b") }),
      apiRoute("exact", { hosts: ["a.shop.test"], ...prefix("/"), ...to("echo-a") }),
    ],
    steps: [
      step("GET a.shop.test/x/y", "echo-a"),
      step("GET b.shop.test/x/y", "echo-b"),
      step("GET other.test/x/y", "echo-c"),
    ],
  },
  {
    name: "the longer of two wildcards wins",
    objects: [
      apiRoute("short", { hosts: ["*.test"], ...to("echo-b") }),
      apiRoute("long", { hosts: ["*.shop.test"], ...to("echo-a") }),
    ],
    steps: [step("GET a.shop.test/", "echo-a"), step("GET a.test/", "echo-b")],
  },
  {
    name: "a host whose routes do not match falls back to less specific hosts",
    objects: [
      apiRoute("exact", { hosts: ["a.shop.test"], ...prefix("/one"), ...to("echo-a") }),
      apiRoute("wildcard", { hosts: ["*.shop.test"], ...prefix("/two"), ...to("echo-b") }),
      apiRoute("any", { ...prefix("/three"), ...to("echo-c") }),
    ],
    steps: [
      step("GET a.shop.test/one", "echo-a"),
      step("GET a.shop.test/two", "echo-b"),
      step("GET a.shop.test/three", "echo-c"),
      step("GET a.shop.test/four", NOT_FOUND),
    ],
  },
  {
    name: "precedence is that of single entries: one route's entries lie around another's",
    objects: [
      apiRoute("outer", {
        match: [{ uri: { exact: "/a/b/c" } }, { uri: { prefix: "/a" } }],
        ...to("echo-a"),
      }),
      apiRoute("inner", { ...prefix("/a/b"), ...to("echo-b") }),
    ],
    steps: [step("GET /a/b/c", "echo-a"), step("GET /a/b/d", "echo-b"), step("GET /a/d", "echo-a")],
  },
  {
    name: "two routes that differ only in a header are told apart by it",
    objects: [
      apiRoute("v1", { ...prefix("/api", { headers: [{ name: "x-version", exact: "1" }] }), ...to("echo-a") }),
      apiRoute("v2", { ...prefix("/api", { headers: [{ name: "x-version", exact: "2" }] }), ...to("echo-b") }),
    ],
    steps: [
      step(request("GET /api", { headers: { "x-version": "1" } }), "echo-a"),
      step(request("GET /api", { headers: { "x-version": "2" } }), "echo-b"),
      step(request("GET /api", { headers: { "x-version": "3" } }), NOT_FOUND),
    ],
  },
];
