import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, routeNamed } from "../../table/sample-rows.ts";
import { buildTable } from "../../table/routing-table.ts";
import { apiRouteRows } from "./api-route-rows.ts";

type Spec = Parameters<typeof apiRouteRows>[0];
const SUBJECT = { version: "1" };

function rowsOf(spec: Spec) {
  return apiRouteRows(spec, routeNamed("r"), SUBJECT);
}

/** Which of these requests the route takes. */
function taken(spec: Spec, ...requests: string[]): string[] {
  const { rows, findings } = rowsOf(spec);
  assert.deepEqual(findings, []);
  const table = buildTable(rows);
  return requests.filter((request) => table.match(ask(request)) !== undefined);
}

test("a route without entries is for everything", () => {
  assert.deepEqual(taken({}, "GET h/", "POST other/x/y"), ["GET h/", "POST other/x/y"]);
  assert.deepEqual(taken({ match: [] }, "GET h/"), ["GET h/"]);
});

test("entries are alternatives, and everything in one of them has to hold", () => {
  const spec = {
    match: [
      { uri: { exact: "/a" }, methods: ["get"] },
      { uri: { prefix: "/b" }, methods: ["POST"], queryParams: [{ name: "q", exact: "1" }] },
    ],
  };
  assert.deepEqual(taken(spec, "GET h/a", "HEAD h/a", "POST h/a", "POST h/b/x?q=1", "POST h/b/x", "GET h/b?q=1"), [
    "GET h/a",
    "HEAD h/a",
    "POST h/b/x?q=1",
  ]);
});

test("there is a row for each entry and each host, and an exact matcher of Host is a host", () => {
  const spec = { hosts: ["A.example.com", "*.shop.com"], match: [{ uri: { exact: "/a" } }, { uri: { exact: "/b" } }] };
  assert.deepEqual(
    rowsOf(spec).rows.map(({ host, path, place }) => [host, path.value, place]),
    [
      ["a.example.com", "/a", 0],
      ["*.shop.com", "/a", 0],
      ["a.example.com", "/b", 1],
      ["*.shop.com", "/b", 1],
    ],
  );
  const named = rowsOf({ match: [{ headers: [{ name: "Host", exact: "API.example.com:8443" }] }] }).rows[0];
  assert.deepEqual([named?.host, named?.headers], ["api.example.com", []]);
});

test("an entry whose Host is none of the route's hosts is told to never match", () => {
  const spec = { hosts: ["*.shop.com"], match: [{ headers: [{ name: "host", exact: "b.com" }] }] };
  const { rows, findings } = rowsOf(spec);
  assert.deepEqual(rows, []);
  assert.deepEqual(
    findings.map(({ severity, field }) => [severity, field]),
    [["warning", "spec.match[0]"]],
  );
});

test("names stand for whole elements or parts of them", () => {
  const table = buildTable(rowsOf({ match: [{ uri: { exact: "/u/{user-id}/{file}.json" } }] }).rows);
  const found = table.match(ask("GET h/u/7/a.b.json"));
  assert.deepEqual(Object.fromEntries(found?.parameters ?? []), { "user-id": "7", file: "a.b" });
  assert.equal(table.match(ask("GET h/u/7/a.xml")), undefined);
  assert.equal(table.match(ask("GET h/u/7/a.json/x")), undefined);
  assert.deepEqual(taken({ match: [{ uri: { prefix: "/u/{id}" } }] }, "GET h/u", "GET h/u/1", "GET h/u/1/x"), [
    "GET h/u/1",
    "GET h/u/1/x",
  ]);
});

const GLOBS: readonly (readonly [prefix: string, taken: readonly string[], not: readonly string[]])[] = [
  ["/api/*", ["/api/x"], ["/api", "/api/", "/api/x/y"]],
  ["/api/*/items", ["/api/x/items"], ["/api/items", "/api/x/y/items", "/api/x/items/1"]],
  ["/api/**", ["/api/x", "/api/x/y", "/api"], ["/apix"]],
  ["/**", ["/", "/x"], []],
  ["/a/**/z", ["/a/b/z", "/a/b/c/z"], ["/a/b/c"]],
  ["/img/*.png", ["/img/a.png"], ["/img/a.jpg", "/img/apng"]],
  ["/v?/users", ["/v1/users"], ["/v10/users", "/v/users"]],
  ["/{tenant}/*", ["/t/x"], ["/t"]],
];
for (const [prefix, yes, no] of GLOBS)
  test(`the prefix ${prefix} is for ${yes.join(", ")}${no.length > 0 ? `, not for ${no.join(", ")}` : ""}`, () => {
    const request = (path: string): string => `GET h${path}`;
    assert.deepEqual(taken({ match: [{ uri: { prefix } }] }, ...[...yes, ...no].map(request)), yes.map(request));
  });

test("matchers of headers compare, or ask for presence or absence", () => {
  const spec = {
    match: [
      {
        headers: [
          { name: "X-Exact", exact: "1" },
          { name: "x-prefix", prefix: "ab" },
          { name: "x-regex", regex: "[0-9]+" },
          { name: "x-there", present: true },
          { name: "x-not", absent: true },
        ],
      },
    ],
  };
  const table = buildTable(rowsOf(spec).rows);
  const good = ["x-exact", "1", "x-prefix", "abc", "x-regex", "12", "x-there", ""];
  assert.ok(table.match(ask("GET h/", ...good)));
  for (const [at, value] of [
    [1, "2"],
    [3, "b"],
    [5, "12a"],
  ] as const) {
    assert.equal(table.match(ask("GET h/", ...good.with(at, value))), undefined);
  }
  assert.equal(table.match(ask("GET h/", ...good.slice(0, 6))), undefined);
  assert.equal(table.match(ask("GET h/", ...good, "x-not", "1")), undefined);
});

test("what cannot be compiled is an error with its field, and leaves no rows", () => {
  const { rows, findings } = rowsOf({
    match: [
      { uri: { prefix: "/ok" } },
      { uri: { regex: "(" }, headers: [{ name: "a", regex: "(?<=x)" }] },
      { uri: { exact: "x" } },
      { uri: { prefix: "/{id}/x/{id}" } },
    ],
  });
  assert.deepEqual(rows, []);
  assert.deepEqual(
    findings.map(({ severity, field }) => [severity, field]),
    [
      ["error", "spec.match[1].uri.regex"],
      ["error", "spec.match[1].headers[0].regex"],
      ["error", "spec.match[2].uri.exact"],
      ["error", "spec.match[3].uri.prefix"],
    ],
  );
});

test("what can never match or says nothing is a warning", () => {
  const { rows, findings } = rowsOf({
    match: [
      { uri: { exact: "/a?b=1" } },
      { headers: [{ name: "Connection", exact: "close" }] },
      { headers: [{ name: "x", present: false }] },
      { headers: [{ name: "x", exact: "1", absent: true }] },
    ],
  });
  assert.equal(rows.length, 4);
  assert.deepEqual(
    findings.map(({ severity, field }) => [severity, field]),
    [
      ["warning", "spec.match[0].uri.exact"],
      ["warning", "spec.match[1].headers[0].name"],
      ["warning", "spec.match[2].headers[0]"],
      ["warning", "spec.match[3].headers[0]"],
    ],
  );
});

test("the age of an object is in its rows; without one it is the newest", () => {
  const [dated] = apiRouteRows({}, routeNamed("r"), { version: "1", createdAt: "2026-01-02T00:00:00Z" }).rows;
  assert.equal(dated?.createdAt, Date.UTC(2026, 0, 2));
  assert.equal(rowsOf({}).rows[0]?.createdAt, Infinity);
});
