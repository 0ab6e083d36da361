import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deepFreeze } from "../json/freeze.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { StatusError } from "../status.ts";
import type { FieldType, ObjectType, TypeNode } from "../type-node.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const string: TypeNode = { kind: "scalar", scalar: "string" };
const list = (element: TypeNode): TypeNode => ({ kind: "list", mode: "atomic", keys: [], element });
function struct(fields: Record<string, Partial<FieldType> & { type: TypeNode }>): ObjectType {
  const table = new Map(Object.entries(fields).map(([name, field]) => [name, { required: false, ...field }]));
  return {
    kind: "object",
    mode: "granular",
    field: (name) => table.get(name),
    fieldNames: () => table.keys(),
    elements: undefined,
    preserveUnknown: false,
  };
}

const port = struct({ port: { type: { kind: "scalar", scalar: "integer" } }, protocol: { type: string } });
const container = struct({
  name: { type: string },
  image: { type: string },
  args: { type: list(string) },
  ports: { type: list(port), patchStrategy: ["merge"], patchMergeKey: "port" },
});
const type = struct({
  name: { type: string },
  finalizers: { type: list(string), patchStrategy: ["merge"] },
  containers: { type: list(container), patchStrategy: ["merge"], patchMergeKey: "name" },
  strategy: {
    type: struct({ type: { type: string }, rolling: { type: struct({ max: { type: string } }) } }),
    patchStrategy: ["retainKeys"],
  },
  whole: { type: struct({ a: { type: string }, b: { type: string } }), patchStrategy: ["replace"] },
});

const live = deepFreeze<JsonObject>({
  name: "x",
  finalizers: ["a", "b", "c"],
  containers: [
    { name: "one", image: "1", args: ["x"], ports: [{ port: 1, protocol: "TCP" }, { port: 2 }] },
    { name: "two", image: "2" },
    { name: "three", image: "3" },
  ],
  strategy: { type: "RollingUpdate", rolling: { max: "1" } },
  whole: { a: "1", b: "2" },
});
const patched = (patch: JsonObject): JsonObject => applyStrategicMergePatch(live, deepFreeze(patch), type);
const names = (patch: JsonObject): Json[] => (patched(patch).containers as JsonObject[]).map((item) => item.name!);

describe("strategic merge patch", () => {
  it("merges lists by their key, at every level", () => {
    const { containers } = patched({
      containers: [{ name: "one", ports: [{ port: 2, protocol: "UDP" }, { port: 3 }] }],
    });
    assert.deepEqual((containers as Json[])[0], {
      name: "one",
      image: "1",
      args: ["x"],
      ports: [{ port: 1, protocol: "TCP" }, { port: 2, protocol: "UDP" }, { port: 3 }],
    });
    assert.equal((containers as Json[]).length, 3);
  });

  it("replaces lists that do not merge and unions scalar lists that do", () => {
    assert.deepEqual((patched({ containers: [{ name: "one", args: ["y"] }] }).containers as JsonObject[])[0]!.args, [
      "y",
    ]);
    assert.deepEqual(patched({ finalizers: ["d", "b"] }).finalizers, ["d", "a", "b", "c"]);
  });

  it("deletes items and replaces lists and maps on $patch", () => {
    assert.deepEqual(names({ containers: [{ $patch: "delete", name: "two" }] }), ["one", "three"]);
    assert.deepEqual(patched({ containers: [{ $patch: "replace" }, { name: "new" }] }).containers, [{ name: "new" }]);
    assert.deepEqual(patched({ strategy: { $patch: "replace", type: "Recreate" } }).strategy, { type: "Recreate" });
    assert.deepEqual(patched({ strategy: { $patch: "delete" } }).strategy, {});
    assert.throws(() => patched({ strategy: { $patch: "foo" } }), {
      code: 500,
      message: "unknown patch type: foo in map: map[$patch:foo]",
    });
  });

  it("removes scalars on $deleteFromPrimitiveList", () => {
    assert.deepEqual(patched({ "$deleteFromPrimitiveList/finalizers": ["a", "z"] }).finalizers, ["b", "c"]);
    assert.equal(Object.hasOwn(patched({ "$deleteFromPrimitiveList/none": ["a"] }), "none"), false);
    assert.throws(() => patched({ $deleteFromPrimitiveList: ["a"] }), {
      code: 400,
      message: "invalid patch format of primitive list",
    });
  });

  it("orders by $setElementOrder, with unlisted items near their old neighbours", () => {
    const order = [{ name: "three" }, { name: "one" }];
    assert.deepEqual(names({ "$setElementOrder/containers": order }), ["two", "three", "one"]);
    assert.deepEqual(
      names({ "$setElementOrder/containers": [{ name: "new" }, ...order], containers: [{ name: "new" }] }),
      ["new", "two", "three", "one"],
    );
    assert.deepEqual(patched({ "$setElementOrder/finalizers": ["c", "a"] }).finalizers, ["b", "c", "a"]);
    assert.throws(() => patched({ "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "b" }] }), {
      code: 500,
    });
    assert.throws(() => patched({ "$setElementOrder/finalizers": 1 }), {
      message: "expected a []interface {}, but received a int64",
    });
  });

  it("keeps only what $retainKeys lists", () => {
    assert.deepEqual(patched({ strategy: { $retainKeys: ["type"], type: "Recreate" } }).strategy, { type: "Recreate" });
    assert.throws(() => patched({ strategy: { $retainKeys: ["rolling"], type: "x" } }), {
      code: 400,
      message: "invalid patch format of retainKeys",
    });
  });

  it("deletes on null, replaces where the field says so, and drops nulls and directives from new values", () => {
    assert.equal(Object.hasOwn(patched({ strategy: null }), "strategy"), false);
    assert.deepEqual(patched({ whole: { a: "3" } }).whole, { a: "3" });
    assert.deepEqual(patched({ fresh: { a: null, b: 1, c: { $patch: "delete" } } }).fresh, { b: 1 });
  });

  it("says which merge key is missing", () => {
    assert.throws(() => patched({ containers: [{ image: "a" }] }), {
      message: "map: map[image:a] does not contain declared merge key: name",
    });
  });

  it("never fails otherwise than with a StatusError, and leaves prototypes alone", () => {
    const key = fc.constantFrom(
      "name",
      "finalizers",
      "containers",
      "strategy",
      "$patch",
      "$retainKeys",
      "$setElementOrder/containers",
      "$deleteFromPrimitiveList/finalizers",
      "__proto__",
      "constructor",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>("a", "one", "delete", "replace", null, 1),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      ),
    }));
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(fc.dictionary(key, value), (patch) => {
        try {
          patched(JSON.parse(JSON.stringify(patch)) as JsonObject);
        } catch (error) {
          assert.ok(error instanceof StatusError, String(error));
        }
        assert.equal(Object.getOwnPropertyNames(Object.prototype).length, before);
      }),
      { numRuns: 500 },
    );
  });
});
