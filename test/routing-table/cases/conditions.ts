import { NOT_FOUND, apiRoute, prefix, request, step, to } from "../manifests.ts";
import type { CaseStep, Expected, RoutingCase } from "../routing-case.ts";

const withHeaders = (headers: Readonly<Record<string, string>>, expect: Expected | string): CaseStep =>
  step(request("GET /", { headers }), expect);

/** Methods, hosts, headers and query parameters that a route is for. */
export const CONDITIONS: readonly RoutingCase[] = [
  {
    name: "a route with methods is for those only",
    objects: [apiRoute("write", { ...prefix("/", { methods: ["POST", "PUT"] }), ...to("echo-a") })],
    steps: [step("POST /", "echo-a"), step("PUT /", "echo-a"), step("GET /", NOT_FOUND), step("DELETE /", NOT_FOUND)],
  },
  {
    name: "a route for GET is for HEAD too",
    objects: [apiRoute("read", { ...prefix("/", { methods: ["GET"] }), ...to("echo-a") })],
    steps: [step("GET /", "echo-a"), step("HEAD /", { status: 200, body: "" }), step("POST /", NOT_FOUND)],
    asked: { "echo-a": 2 },
  },
  {
    name: "a route for HEAD is not for GET",
    objects: [apiRoute("head", { ...prefix("/", { methods: ["HEAD"] }), ...to("echo-a") })],
    steps: [step("HEAD /", { status: 200 }), step("GET /", NOT_FOUND)],
  },
  {
    name: "a star among the methods is all of them, and case does not matter",
    objects: [
      apiRoute("all", { ...prefix("/all", { methods: ["*"] }), ...to("echo-a") }),
      apiRoute("patch", { ...prefix("/patch", { methods: ["patch"] }), ...to("echo-a") }),
    ],
    steps: [step("DELETE /all", "echo-a"), step("PATCH /patch", "echo-a"), step("GET /patch", NOT_FOUND)],
  },
  {
    name: "a header with an exact value has to have just that value",
    objects: [apiRoute("blue", { ...prefix("/", { headers: [{ name: "X-Env", exact: "blue" }] }), ...to("echo-a") })],
    steps: [
      withHeaders({ "x-env": "blue" }, "echo-a"),
      withHeaders({ "X-ENV": "blue" }, "echo-a"),
      withHeaders({ "x-env": "Blue" }, NOT_FOUND),
      withHeaders({ "x-env": "blueish" }, NOT_FOUND),
      withHeaders({}, NOT_FOUND),
    ],
  },
  {
    name: "a header with a prefix has to begin with it",
    objects: [
      apiRoute("bearer", {
        ...prefix("/", { headers: [{ name: "authorization", prefix: "Bearer " }] }),
        ...to("echo-a"),
      }),
    ],
    steps: [withHeaders({ authorization: "Bearer x" }, "echo-a"), withHeaders({ authorization: "Basic x" }, NOT_FOUND)],
  },
  {
    name: "a regular expression for a header has to match the whole value",
    objects: [
      apiRoute("numbers", { ...prefix("/", { headers: [{ name: "x-id", regex: "[0-9]+" }] }), ...to("echo-a") }),
    ],
    steps: [withHeaders({ "x-id": "12" }, "echo-a"), withHeaders({ "x-id": "12a" }, NOT_FOUND)],
  },
  {
    name: "a header can be asked to be there, or not to be there",
    objects: [
      apiRoute("debug", { ...prefix("/", { headers: [{ name: "x-debug", present: true }] }), ...to("echo-a") }),
      apiRoute("plain", { ...prefix("/", { headers: [{ name: "x-debug", absent: true }] }), ...to("echo-b") }),
    ],
    steps: [withHeaders({ "x-debug": "1" }, "echo-a"), withHeaders({}, "echo-b")],
  },
  {
    name: "all headers of an entry have to match",
    objects: [
      apiRoute("both", {
        ...prefix("/", {
          headers: [
            { name: "a", exact: "1" },
            { name: "b", exact: "2" },
          ],
        }),
        ...to("echo-a"),
      }),
    ],
    steps: [
      withHeaders({ a: "1", b: "2" }, "echo-a"),
      withHeaders({ a: "1" }, NOT_FOUND),
      withHeaders({ a: "1", b: "1" }, NOT_FOUND),
    ],
  },
  {
    name: "a query parameter with an exact value has to have it, decoded",
    objects: [apiRoute("q", { ...prefix("/", { queryParams: [{ name: "q", exact: "a b" }] }), ...to("echo-a") })],
    steps: [
      step("GET /?q=a%20b", "echo-a"),
      step("GET /?x=1&q=a%20b", "echo-a"),
      step("GET /?q=a", NOT_FOUND),
      step("GET /?Q=a%20b", NOT_FOUND),
      step("GET /", NOT_FOUND),
    ],
  },
  {
    name: "of a repeated query parameter the first value counts",
    objects: [apiRoute("q", { ...prefix("/", { queryParams: [{ name: "q", exact: "1" }] }), ...to("echo-a") })],
    steps: [step("GET /?q=1&q=2", "echo-a"), step("GET /?q=2&q=1", NOT_FOUND)],
  },
  {
    name: "a regular expression for a query parameter has to match the whole value",
    objects: [
      apiRoute("page", { ...prefix("/", { queryParams: [{ name: "page", regex: "[0-9]+" }] }), ...to("echo-a") }),
    ],
    steps: [step("GET /?page=12", "echo-a"), step("GET /?page=12x", NOT_FOUND)],
  },
  {
    name: "a query parameter can be asked to be there",
    objects: [
      apiRoute("flag", { ...prefix("/", { queryParams: [{ name: "flag", present: true }] }), ...to("echo-a") }),
    ],
    steps: [step("GET /?flag", "echo-a"), step("GET /?flag=1", "echo-a"), step("GET /?other=flag", NOT_FOUND)],
  },
  {
    name: "a route with hosts is for those only, whatever the port",
    objects: [apiRoute("shop", { hosts: ["shop.test", "store.test"], ...to("echo-a") })],
    steps: [
      step("GET shop.test/", "echo-a"),
      step("GET store.test:8443/", "echo-a"),
      step("GET SHOP.test/", "echo-a"),
      step("GET www.shop.test/", NOT_FOUND),
      step("GET other.test/", NOT_FOUND),
    ],
  },
  {
    name: "a wildcard host stands for one label or more, never for none",
    objects: [apiRoute("shop", { hosts: ["*.shop.test"], ...to("echo-a") })],
    steps: [
      step("GET a.shop.test/", "echo-a"),
      step("GET a.b.shop.test/", "echo-a"),
      step("GET shop.test/", NOT_FOUND),
      step("GET ashop.test/", NOT_FOUND),
    ],
  },
  {
    name: "the Host header can be matched like any other",
    objects: [
      apiRoute("exact", { ...prefix("/", { headers: [{ name: "Host", exact: "a.test" }] }), ...to("echo-a") }),
      apiRoute("prefix", { ...prefix("/", { headers: [{ name: "Host", prefix: "b." }] }), ...to("echo-b") }),
    ],
    steps: [
      step("GET a.test/", "echo-a"),
      step("GET a.test:81/", "echo-a"),
      step("GET b.test/", "echo-b"),
      step("GET c.test/", NOT_FOUND),
    ],
  },
];
