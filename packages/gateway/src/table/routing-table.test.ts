import assert from "node:assert/strict";
import { test } from "node:test";
import type { MatchRow } from "./match-row.ts";
import type { Question } from "./route-table.ts";
import { buildTable, updateTable } from "./routing-table.ts";
import { ask, rowOf } from "./sample-rows.ts";

function winner(rows: readonly MatchRow[], ...question: Parameters<typeof ask>): string | undefined {
  return buildTable(rows).match(ask(...question))?.route.name;
}

test("the most specific host is asked first, and where none of its rows holds the next one is", () => {
  const rows = [
    rowOf("any"),
    rowOf("com", { host: "*.com" }),
    rowOf("wild", { host: "*.example.com", path: { type: "prefix", value: "/wild" } }),
    rowOf("exact", { host: "a.example.com", path: { type: "prefix", value: "/exact" } }),
  ];
  assert.equal(winner(rows, "GET a.example.com:8080/exact/1"), "exact");
  assert.equal(winner(rows, "GET a.example.com/wild"), "wild");
  assert.equal(winner(rows, "GET b.a.example.com/wild"), "wild");
  assert.equal(winner(rows, "GET a.example.com/other"), "com");
  assert.equal(winner(rows, "GET example.com/wild"), "com");
  assert.equal(winner(rows, "GET example.org/wild"), "any");
});

test("a wildcard does not stand for nothing", () => {
  const rows = [rowOf("wild", { host: "*.example.com" })];
  assert.equal(winner(rows, "GET example.com/"), undefined);
  assert.equal(winner(rows, "GET .example.com/"), undefined);
  assert.equal(winner(rows, "GET notexample.com/"), undefined);
  assert.equal(winner(rows, "GET a.example.com./"), "wild");
});

test("addresses are found with and without a port", () => {
  const rows = [rowOf("six", { host: "[::1]" }), rowOf("four", { host: "127.0.0.1" })];
  assert.equal(winner(rows, "GET [::1]:80/"), "six");
  assert.equal(winner(rows, "GET [::1]/"), "six");
  assert.equal(winner(rows, "GET 127.0.0.1:80/"), "four");
});

test("names in a path are told, one element each and never empty", () => {
  const rows = [
    rowOf("item", { path: { type: "template", value: "/users/{user}/items/{item}", prefix: false } }),
    rowOf("user", { path: { type: "template", value: "/users/{user}", prefix: true } }),
    rowOf("page", { path: { type: "template", value: "/pages/{*:(?P<base>.+)\\.html}", prefix: false } }),
    rowOf("file", { path: { type: "regex", value: "/files/(?P<base>[^/]+)\\.(?P<kind>\\w+)" } }),
  ];
  const table = buildTable(rows);
  assert.deepEqual(
    [...table.match(ask("GET h/users/7/items/9"))!.parameters],
    [
      ["user", "7"],
      ["item", "9"],
    ],
  );
  assert.deepEqual([...table.match(ask("GET h/users/7/items/9/x"))!.parameters], [["user", "7"]]);
  assert.deepEqual(
    [...table.match(ask("GET h/files/a.b.txt"))!.parameters],
    [
      ["base", "a.b"],
      ["kind", "txt"],
    ],
  );
  assert.deepEqual([...table.match(ask("GET h/pages/a.html"))!.parameters], [["base", "a"]]);
  assert.equal(table.match(ask("GET h/users/")), undefined);
});

test("a pattern has to match the whole path, the longer one is asked first, and all of them after the prefixes", () => {
  const rows = [
    rowOf("short", { path: { type: "regex", value: "/v[0-9]" } }),
    rowOf("long", { path: { type: "regex", value: "/v[0-9]/.*" } }),
    rowOf("prefix", { path: { type: "prefix", value: "/v2" } }),
  ];
  assert.equal(winner(rows, "GET h/v1"), "short");
  assert.equal(winner(rows, "GET h/v1/x"), "long");
  assert.equal(winner(rows, "GET h/v11"), undefined);
  assert.equal(winner(rows, "GET h/v2/x"), "prefix");
});

test("a matcher of the host header looks at the authority without its port", () => {
  const rows = [rowOf("host", { headers: [{ name: "host", test: { type: "exact", value: "a.com" } }] })];
  assert.equal(winner(rows, "GET a.com:8443/"), "host");
  assert.equal(winner(rows, "GET b.com/"), undefined);
});

test("an object that is user's data by name, such as __proto__ or constructor, is only text", () => {
  const rows = [rowOf("proto", { host: "constructor", path: { type: "prefix", value: "/__proto__" } })];
  assert.equal(winner(rows, "GET constructor/__proto__/x"), "proto");
  assert.equal(winner(rows, "GET __proto__/constructor"), undefined);
});

test("an edit of one row in a large table leaves the tables before it alone", () => {
  const rows = Array.from({ length: 500 }, (_, at) => rowOf(`r${at}`, { path: { type: "prefix", value: `/r${at}` } }));
  const first = buildTable(rows);
  const [removed] = rows;
  assert.ok(removed !== undefined);
  const added = rowOf("new", { path: { type: "exact", value: "/r0" } });
  const second = updateTable(first, { remove: [removed], add: [added] });
  const third = updateTable(second, { remove: [added], add: [] });
  assert.equal(first.match(ask("GET h/r0"))?.route.name, "r0");
  assert.equal(second.match(ask("GET h/r0"))?.route.name, "new");
  assert.equal(second.match(ask("GET h/r0/x")), undefined);
  assert.equal(third.match(ask("GET h/r0")), undefined);
  assert.equal(third.match(ask("GET h/r499/x"))?.route.name, "r499");
});

test("a row with an operation is told to be unsure until the operation is known", () => {
  const rows = [
    rowOf("all"),
    rowOf("queries", { operation: { type: "query" } }),
    rowOf("orders", { operation: { name: { type: "prefix", value: "Order" } } }),
  ];
  const table = buildTable(rows);
  const question = ask("POST h/graphql");
  assert.deepEqual([table.match(question)?.route.name, table.match(question)?.needsOperation], ["orders", true]);
  const asked = (operation: Question["operation"]): string | undefined => {
    const found = table.match({ ...question, ...(operation !== undefined && { operation }) });
    assert.equal(found?.needsOperation, undefined);
    return found?.route.name;
  };
  assert.equal(asked({ type: "query", name: "Orders" }), "orders");
  assert.equal(asked({ type: "query", name: "Users" }), "queries");
  assert.equal(asked({ type: "mutation", name: "" }), "all");
  assert.equal(asked("none"), "all");
});

test("paths with more elements than anybody counts are found like others", () => {
  const deep = (elements: number): string => "/x".repeat(elements);
  const rows = [30, 31, 32, 40].flatMap((depth) => [
    rowOf(`exact-${depth}`, { path: { type: "exact", value: deep(depth) } }),
    rowOf(`prefix-${depth}`, { path: { type: "prefix", value: deep(depth) } }),
  ]);
  assert.equal(winner(rows, `GET h${deep(32)}`), "exact-32");
  assert.equal(winner(rows, `GET h${deep(39)}`), "prefix-32");
  assert.equal(winner(rows, `GET h${deep(50)}`), "prefix-40");
  assert.equal(winner(rows, `GET h${deep(29)}`), undefined);
});
