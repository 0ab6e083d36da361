import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@gatewright/kube";
import { EACH, parseFieldPath, removeAt, setAt, valueAt } from "./field-path.ts";
import type { FieldPath } from "./field-path.ts";

const READ: readonly [text: string, path: FieldPath | undefined][] = [
  ["a", ["a"]],
  ["a.b", ["a", "b"]],
  ["a[].b", ["a", EACH, "b"]],
  ["[].b", [EACH, "b"]],
  ["a[][]", ["a", EACH, EACH]],
  ["a\\.b.c", ["a.b", "c"]],
  ["__proto__.x", ["__proto__", "x"]],
  ["", undefined],
  [".", undefined],
  ["a.", undefined],
  ["a..b", undefined],
  ["a[0]", undefined],
  ["a.[]", undefined],
];
for (const [text, path] of READ)
  test(`${JSON.stringify(text)} is ${path === undefined ? "no path" : "read"}`, () => {
    assert.deepEqual(parseFieldPath(text), path);
  });

const at = (text: string): FieldPath => parseFieldPath(text)!;

test("a path leads through arrays, told or not", () => {
  const body: Json = { items: [{}, { id: 1 }, { id: 2 }] };
  assert.equal(valueAt(body, at("items[].id")), 1);
  assert.equal(valueAt(body, at("items.id")), 1);
  assert.equal(valueAt(body, at("items.id.no")), undefined);
});

test("fields are set on every item, and objects are made on the way", () => {
  const body: Json = { items: [{ id: 1 }, 2, {}] };
  setAt(body, at("items[].seen"), true);
  setAt(body, at("a.b.c"), 1);
  setAt(body, at("no[].x"), 1);
  assert.deepEqual(body, { items: [{ id: 1, seen: true }, 2, { seen: true }], a: { b: { c: 1 } } });
});

test("fields are taken away wherever the path leads", () => {
  const body: Json = { items: [{ id: 1, secret: 2 }, { secret: 3 }], list: [1], keep: 1 };
  removeAt(body, at("items.secret"));
  removeAt(body, at("list[]"));
  removeAt(body, at("nothing.here"));
  assert.deepEqual(body, { items: [{ id: 1 }, {}], list: [], keep: 1 });
});

test("no path reaches a prototype", () => {
  const body: Json = {};
  setAt(body, at("__proto__.polluted"), true);
  setAt(body, at("constructor.prototype.polluted"), true);
  removeAt(body, at("__proto__.toString"));
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.equal(typeof {}.toString, "function");
  assert.equal(JSON.stringify(body), '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
});
