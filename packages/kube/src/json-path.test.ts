import assert from "node:assert/strict";
import { test } from "node:test";
import { compileJsonPath, jsonPathText, parseSimplePath } from "./json-path.ts";

const object = {
  spec: {
    list: [1, 2, 3, 4],
    "x.y": "z",
    conditions: [
      { type: "Ready", status: "True", n: 3 },
      { type: "Other", status: "False (x)", n: 1 },
    ],
    map: { p: { name: "n1" }, q: { name: "n2" } },
  },
};

test("paths lead to fields, items, slices, wildcards, filters and descendants", () => {
  const cases: [string, unknown[]][] = [
    [".spec.list[0]", [1]],
    [".spec.list[-1]", [4]],
    [".spec.list[1:3]", [2, 3]],
    [".spec.list[-2:]", [3, 4]],
    [".spec.list[::2]", [1, 3]],
    [".spec.list[*]", [1, 2, 3, 4]],
    [".spec.list[0,2]", [1, 3]],
    [".spec['x\\.y']", ["z"]],
    [".spec.x\\.y", ["z"]],
    [`.spec.conditions[?(@.type=="Ready")].status`, ["True"]],
    [`.spec.conditions[?(@.status=='False (x)')].type`, ["Other"]],
    [".spec.conditions[?(@.n>=3)].type", ["Ready"]],
    [".spec.conditions[?(@.n)].n", [3, 1]],
    ["..name", ["n1", "n2"]],
    [".spec.map.*.name", ["n1", "n2"]],
    ["$.spec.list[:2]", [1, 2]],
  ];
  for (const [path, results] of cases) assert.deepEqual(compileJsonPath(path)(object), results, path);
});

test("a path that does not fit the object has no result", () => {
  for (const path of [
    ".spec.nothing.at.all",
    ".spec.list[9]",
    ".spec.map[0]",
    ".spec[?(@.a==1)]",
    ".__proto__",
    ".constructor",
  ]) {
    assert.deepEqual(compileJsonPath(path)(object), [], path);
  }
});

test("a path that cannot be read is refused when it is compiled", () => {
  for (const path of [".a[", ".a[?(@.b", ".a[x]", "....a", ".a ^"])
    assert.throws(() => compileJsonPath(path), { name: "JsonPathError" }, path);
});

test("stacked descents end instead of multiplying", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 90; i++) deep = { a: deep, b: [1, 2, 3] };
  assert.deepEqual(compileJsonPath("..a..a..a..a..a")(deep as never), []);
});

test("simple paths are plain fields only", () => {
  assert.deepEqual(parseSimplePath(".spec.replicas"), ["spec", "replicas"]);
  for (const path of ["spec.replicas", ".spec.a[0]", ".", "..a", ""])
    assert.equal(parseSimplePath(path), undefined, path);
});

test("results print bare, compound ones as JSON", () => {
  assert.equal(jsonPathText("a"), "a");
  assert.equal(jsonPathText([1, "b"]), '[1,"b"]');
});
