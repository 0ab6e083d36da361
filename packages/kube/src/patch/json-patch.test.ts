import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deepFreeze } from "../json/freeze.ts";
import type { Json } from "../json/json.ts";
import { StatusError } from "../status.ts";
import { applyJsonPatch } from "./json-patch.ts";

const document = deepFreeze<Json>({ a: 1, list: [1, 2, 3], nested: { x: "y", "a/b": 1, "m~n": 2 }, nothing: null });
const patched = (...operations: Json[]): Json => applyJsonPatch(document, operations);
const rejected = (...operations: Json[]): void =>
  assert.throws(
    () => patched(...operations),
    (error) => error instanceof StatusError && error.code === 422 && error.reason === "Invalid",
  );

describe("JSON patch", () => {
  it("adds, inserts and appends", () => {
    assert.deepEqual(patched({ op: "add", path: "/b", value: { c: 1 } }, { op: "add", path: "/b/d", value: 2 }), {
      ...(document as object),
      b: { c: 1, d: 2 },
    });
    const list = (path: string): Json => (patched({ op: "add", path, value: 9 }) as { list: Json }).list;
    assert.deepEqual(list("/list/0"), [9, 1, 2, 3]);
    assert.deepEqual(list("/list/3"), [1, 2, 3, 9]);
    assert.deepEqual(list("/list/-"), [1, 2, 3, 9]);
    assert.deepEqual(list("/list/-1"), [1, 2, 3, 9]);
    rejected({ op: "add", path: "/list/4", value: 9 });
    rejected({ op: "add", path: "/missing/x", value: 9 });
    rejected({ op: "add", path: "", value: 9 });
    rejected({ op: "add", path: "/a/b", value: 9 });
  });

  it("removes what is there and refuses what is not", () => {
    assert.deepEqual((patched({ op: "remove", path: "/list/-1" }) as { list: Json }).list, [1, 2]);
    assert.equal(Object.hasOwn(patched({ op: "remove", path: "/nothing" }) as object, "nothing"), false);
    rejected({ op: "remove", path: "/b" });
    rejected({ op: "remove", path: "/list/3" });
    rejected({ op: "remove", path: "" });
  });

  it("replaces a missing key, as the library of kube-apiserver does, but no missing index", () => {
    assert.equal((patched({ op: "replace", path: "/b", value: 1 }) as { b: Json }).b, 1);
    rejected({ op: "replace", path: "/list/3", value: 1 });
    rejected({ op: "replace", path: "/list/-", value: 1 });
    assert.deepEqual(patched({ op: "replace", path: "", value: [1] }), [1]);
    rejected({ op: "replace", path: "", value: 1 });
  });

  it("moves and copies; a copy of nothing is null", () => {
    assert.deepEqual((patched({ op: "move", from: "/list/0", path: "/list/-" }) as { list: Json }).list, [2, 3, 1]);
    assert.equal((patched({ op: "copy", from: "/none", path: "/b" }) as { b: Json }).b, null);
    rejected({ op: "move", from: "/none", path: "/b" });
    rejected({ op: "move", from: "/nested", path: "/nested/x" });
  });

  it("tests deeply, with null and absent alike", () => {
    assert.deepEqual(patched({ op: "test", path: "/nested", value: { "m~n": 2, "a/b": 1, x: "y" } }), document);
    assert.deepEqual(
      patched({ op: "test", path: "/nested/a~1b", value: 1 }, { op: "test", path: "/nested/m~0n", value: 2 }),
      document,
    );
    assert.deepEqual(patched({ op: "test", path: "/none" }, { op: "test", path: "/nothing", value: null }), document);
    rejected({ op: "test", path: "/a", value: 2 });
  });

  it("refuses what is no operation", () => {
    rejected(null);
    rejected({ op: "merge", path: "/a" });
    rejected({ op: "add", value: 1 });
    rejected({ path: "/a" });
    rejected({ op: "copy", path: "/a" });
  });

  it("bounds the number of operations and the growth by copies", () => {
    assert.throws(
      () =>
        applyJsonPatch(
          {},
          Array.from({ length: 10_001 }, () => ({ op: "test", path: "/a" })),
        ),
      { code: 413 },
    );
    const copies = Array.from({ length: 4 }, (_, i): Json => ({ op: "copy", from: "/big", path: `/copy${i}` }));
    assert.throws(() => applyJsonPatch({ big: "x".repeat(1024 * 1024) }, copies), { code: 422 });
  });

  it("treats prototype names as data and never reaches a prototype", () => {
    const result = applyJsonPatch({}, [
      { op: "add", path: "/__proto__", value: { x: 1 } },
      { op: "add", path: "/__proto__/y", value: 2 },
      { op: "add", path: "/constructor", value: 3 },
    ]);
    assert.equal(JSON.stringify(result), '{"__proto__":{"x":1,"y":2},"constructor":3}');
    assert.throws(() => applyJsonPatch({}, [{ op: "add", path: "/constructor/prototype/polluted", value: 1 }]), {
      code: 422,
    });
    assert.throws(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }]), { code: 422 });
    assert.throws(() => applyJsonPatch([], [{ op: "add", path: "/length", value: 1 }]), { code: 422 });
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  it("never fails otherwise than with a StatusError, and leaves Object.prototype alone", () => {
    const step = fc.constantFrom(
      "",
      "a",
      "b",
      "0",
      "-",
      "-1",
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "~0",
      "~1",
    );
    const path = fc.array(step, { maxLength: 4 }).map((steps) => steps.map((name) => `/${name}`).join(""));
    const operation = fc.record(
      {
        op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
        path,
        from: path,
        value: fc.jsonValue() as fc.Arbitrary<Json>,
      },
      { requiredKeys: ["op", "path"] },
    );
    const before = Reflect.ownKeys(Object.prototype).length;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.array(operation, { maxLength: 6 }), (start, operations) => {
        const frozen = deepFreeze(structuredClone(start) as Json);
        try {
          applyJsonPatch(frozen, deepFreeze(operations as Json[]));
        } catch (error) {
          assert.ok(error instanceof StatusError, String(error));
        }
        assert.equal(Reflect.ownKeys(Object.prototype).length, before);
      }),
      { numRuns: 500 },
    );
  });
});
