import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "./explain.ts";
import { buildTable } from "./routing-table.ts";
import { ask, rowOf } from "./sample-rows.ts";

const ROWS = [
  rowOf("exact", { path: { type: "exact", value: "/api/users" }, methods: new Set(["POST"]) }),
  rowOf("api", { path: { type: "prefix", value: "/api" }, methods: new Set(["GET"]) }),
  rowOf("api-any-method", { path: { type: "prefix", value: "/api" } }),
  rowOf("blue", {
    path: { type: "prefix", value: "/api" },
    headers: [{ name: "x-env", test: { type: "exact", value: "blue" } }],
  }),
  rowOf("host", { host: "a.com", path: { type: "prefix", value: "/apis" } }),
  rowOf("rest"),
  rowOf("pattern", { path: { type: "regex", value: "/api/.*" } }),
];

test("who wins is told, and of the others what does not hold or why they are asked later", () => {
  const { winner, others, notListed, lines } = explain(buildTable(ROWS), ask("GET a.com:80/api/users?x=1"));
  assert.equal(winner?.route, "APIRoute default/api");
  assert.deepEqual(
    others.map(({ route, verdict, because }) => [route.split("/")[1], verdict, because]),
    [
      ["exact", "does not hold", "it wants method POST, the request has GET"],
      ["blue", "does not hold", "it wants header x-env = blue, the request has absent"],
      ["api-any-method", "ranks lower", "APIRoute default/api is asked first: it names a method"],
      ["rest", "ranks lower", "APIRoute default/api is asked first: its path is more specific"],
      ["pattern", "ranks lower", "APIRoute default/api is asked first: its path is more specific"],
      ["host", "does not hold", "it wants the path /apis and below, the request has /api/users"],
    ],
  );
  assert.equal(notListed, 0);
  assert.equal(
    lines[0],
    "GET a.com:80/api/users?x=1 goes to APIRoute default/api (host *, path /api and below): it is the first row that holds",
  );
  assert.equal(lines.length, 7);
});

test("a request that no route takes is told so, with the routes that are nearest", () => {
  const rows = ROWS.filter((row) => row.route.name !== "rest");
  const { winner, others, lines } = explain(buildTable(rows), ask("GET b.com/apx"), { limit: 2 });
  assert.equal(winner, undefined);
  assert.equal(others.length, 2);
  assert.equal(lines[0], "GET b.com/apx goes nowhere: no route holds, the answer is 404");
  assert.equal(lines.at(-1), "  3 more do not take it");
});

test("one route can be asked about", () => {
  const { winner, others } = explain(buildTable(ROWS), ask("GET b.com/api"), { route: "APIRoute default/blue" });
  assert.equal(winner?.route, "APIRoute default/api");
  assert.deepEqual(
    others.map(({ route }) => route),
    ["APIRoute default/blue"],
  );
});

test("what is told of fifty thousand routes is a screenful", () => {
  const rows = Array.from({ length: 50_000 }, (_, at) =>
    rowOf(`r${at}`, { path: { type: "prefix", value: `/svc${at}` } }),
  );
  const { winner, others, notListed } = explain(buildTable(rows), ask("GET b.com/svc4711/x"));
  assert.equal(winner?.route, "APIRoute default/r4711");
  assert.equal(others.length, 20);
  assert.equal(notListed, 50_000 - 21);
});
