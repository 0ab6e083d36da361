import { NOT_FOUND, apiRoute, exact, prefix, regex, request, step, to } from "../manifests.ts";
import type { RoutingCase } from "../routing-case.ts";

/** Which paths a route is for. */
export const PATHS: readonly RoutingCase[] = [
  {
    name: "without objects nothing is found",
    objects: [],
    steps: [step("GET /", NOT_FOUND)],
  },
  {
    name: "a route without match is for every request",
    objects: [apiRoute("all", to("echo-a"))],
    steps: [step("GET /", "echo-a"), step("POST other.test/x/y?z", "echo-a")],
  },
  {
    name: "an exact path is for that path and no other",
    objects: [apiRoute("users", { ...exact("/users"), ...to("echo-a") })],
    steps: [
      step("GET /users", "echo-a"),
      step("GET /users?x=1", "echo-a"),
      step("GET /users/", NOT_FOUND),
      step("GET /users/1", NOT_FOUND),
      step("GET /Users", NOT_FOUND),
      step("GET /user", NOT_FOUND),
    ],
  },
  {
    name: "a prefix is for its path and all below it, by elements",
    objects: [apiRoute("api", { ...prefix("/api"), ...to("echo-a") })],
    steps: [
      step("GET /api", "echo-a"),
      step("GET /api/", "echo-a"),
      step("GET /api/x/y", "echo-a"),
      step("GET /apix", NOT_FOUND),
      step("GET /ap", NOT_FOUND),
      step("GET /", NOT_FOUND),
    ],
  },
  {
    name: "a slash at the end of a prefix does not count",
    objects: [apiRoute("api", { ...prefix("/api/"), ...to("echo-a") })],
    steps: [step("GET /api", "echo-a"), step("GET /api/x", "echo-a"), step("GET /apix", NOT_FOUND)],
  },
  {
    name: "the prefix / is for everything",
    objects: [apiRoute("all", { ...prefix("/"), ...to("echo-a") })],
    steps: [step("GET /", "echo-a"), step("GET /a/b/c", "echo-a")],
  },
  {
    name: "a regular expression has to match the whole path, without the query",
    objects: [apiRoute("versions", { ...regex("/v[0-9]+/users"), ...to("echo-a") })],
    steps: [
      step("GET /v12/users", "echo-a"),
      step("GET /v12/users?x=/v1", "echo-a"),
      step("GET /v12/users/1", NOT_FOUND),
      step("GET /x/v12/users", NOT_FOUND),
      step("GET /vx/users", NOT_FOUND),
    ],
  },
  {
    name: "a regular expression with alternatives matches each of them as a whole",
    objects: [apiRoute("both", { ...regex("/cats|/dogs/.+"), ...to("echo-a") })],
    steps: [
      step("GET /cats", "echo-a"),
      step("GET /dogs/1", "echo-a"),
      step("GET /cats/1", NOT_FOUND),
      step("GET /dogs", NOT_FOUND),
    ],
  },
  {
    name: "a regular expression may ignore case",
    objects: [apiRoute("any-case", { ...regex("(?i)/shop/.*"), ...to("echo-a") })],
    steps: [step("GET /SHOP/x", "echo-a"), step("GET /shop/x", "echo-a")],
  },
  {
    name: "a regular expression that would take other engines for ever is answered like any other",
    objects: [apiRoute("evil", { ...regex("/(a+)+b"), ...to("echo-a") })],
    steps: [step(`GET /${"a".repeat(2000)}`, NOT_FOUND), step(`GET /${"a".repeat(2000)}b`, "echo-a")],
  },
  {
    name: "a name in an exact path stands for one element",
    objects: [apiRoute("user", { ...exact("/users/{id}"), ...to("echo-a") })],
    steps: [
      step("GET /users/42", "echo-a"),
      step("GET /users/", NOT_FOUND),
      step("GET /users/42/x", NOT_FOUND),
      step("GET /users/42/", NOT_FOUND),
    ],
  },
  {
    name: "a name in a prefix stands for one element, and more may follow",
    objects: [apiRoute("user", { ...prefix("/users/{id}"), ...to("echo-a") })],
    steps: [step("GET /users/42", "echo-a"), step("GET /users/42/x/y", "echo-a"), step("GET /users", NOT_FOUND)],
  },
  {
    name: "a name may be part of an element",
    objects: [apiRoute("report", { ...exact("/reports/{name}.pdf"), ...to("echo-a") })],
    steps: [step("GET /reports/may.pdf", "echo-a"), step("GET /reports/may.txt", NOT_FOUND)],
  },
  {
    name: "a star in a prefix stands for one element",
    objects: [apiRoute("items", { ...prefix("/shops/*/items"), ...to("echo-a") })],
    steps: [
      step("GET /shops/1/items", "echo-a"),
      step("GET /shops/1/2/items", NOT_FOUND),
      step("GET /shops/items", NOT_FOUND),
    ],
  },
  {
    name: "a star in a prefix may be part of an element",
    objects: [apiRoute("images", { ...prefix("/images/*.png"), ...to("echo-a") })],
    steps: [step("GET /images/a.png", "echo-a"), step("GET /images/a.jpg", NOT_FOUND)],
  },
  {
    name: "two stars at the end of a prefix stand for all that follows",
    objects: [apiRoute("files", { ...prefix("/files/**"), ...to("echo-a") })],
    steps: [step("GET /files/a", "echo-a"), step("GET /files/a/b/c", "echo-a"), step("GET /filesystem", NOT_FOUND)],
  },
  {
    name: "two stars within a prefix stand for any number of elements",
    objects: [apiRoute("deep", { ...prefix("/a/**/z"), ...to("echo-a") })],
    steps: [step("GET /a/b/z", "echo-a"), step("GET /a/b/c/z", "echo-a"), step("GET /a/b/c", NOT_FOUND)],
  },
  {
    name: "a question mark in a prefix stands for one character",
    objects: [apiRoute("versions", { ...prefix("/v?/users"), ...to("echo-a") })],
    steps: [step("GET /v1/users", "echo-a"), step("GET /v10/users", NOT_FOUND)],
  },
  {
    name: "dot segments are resolved before anything is matched, and the backend sees the result",
    objects: [
      apiRoute("public", { ...prefix("/public"), ...to("echo-a") }),
      apiRoute("private", { ...prefix("/private"), directResponse: { status: 403 } }),
    ],
    steps: [
      step("GET /public/../private/x", { status: 403 }),
      step("GET /public/%2e%2e/private/x", { status: 403 }),
      step("GET /private/../public/./x", { status: 200, backend: "echo-a", seen: { target: "/public/x" } }),
    ],
  },
  {
    name: "escapes that are not needed are decoded before anything is matched",
    objects: [apiRoute("users", { ...exact("/users"), ...to("echo-a") })],
    steps: [step("GET /%75sers", { status: 200, backend: "echo-a", seen: { target: "/users" } })],
  },
  {
    name: "an escaped slash is refused",
    objects: [apiRoute("all", to("echo-a"))],
    steps: [step("GET /a%2Fb", { status: 400 }), step("GET /a%5Cb", { status: 400 })],
  },
  {
    name: "the query reaches the backend as it came",
    objects: [apiRoute("all", to("echo-a"))],
    steps: [step("GET /x?a=%2F&b=1+2&&c", { status: 200, seen: { target: "/x?a=%2F&b=1+2&&c" } })],
  },
  {
    name: "the entries of match are alternatives",
    objects: [
      apiRoute("two", {
        match: [{ uri: { exact: "/one" } }, { uri: { prefix: "/two" } }],
        ...to("echo-a"),
      }),
    ],
    steps: [step("GET /one", "echo-a"), step("GET /two/x", "echo-a"), step("GET /three", NOT_FOUND)],
  },
  {
    name: "what one entry of match asks for says nothing about the others",
    objects: [
      apiRoute("two", {
        match: [
          { uri: { exact: "/read" }, methods: ["GET"] },
          { uri: { exact: "/write" }, methods: ["POST"], headers: [{ name: "x-writer", exact: "yes" }] },
        ],
        ...to("echo-a"),
      }),
    ],
    steps: [
      step("GET /read", "echo-a"),
      step("POST /read", NOT_FOUND),
      step("POST /write", NOT_FOUND),
      step(request("POST /write", { headers: { "x-writer": "yes" } }), "echo-a"),
    ],
  },
  {
    name: "a route with a broken regular expression is left out, and the others serve",
    objects: [
      apiRoute("broken", { ...regex("/(("), ...to("echo-b") }),
      apiRoute("good", { ...prefix("/good"), ...to("echo-a") }),
    ],
    steps: [step("GET /good", "echo-a"), step("GET /((", NOT_FOUND)],
  },
];
