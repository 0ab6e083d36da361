import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deepClone } from "../json/clone.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { applyDefaults } from "./defaults.ts";
import { MetadataError } from "./object-meta.ts";
import { prune } from "./prune.ts";
import { parseSchema } from "./schema-node.ts";
import { widgetSchema } from "./testing/widget-schema.ts";
import { validateValue } from "./validate.ts";

const schema = parseSchema(widgetSchema);

test("unknown fields are dropped and told: metadata first, the rest sorted, embedded metadata last", () => {
  const object: JsonObject = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a", zz: 1, labels: {} },
    spec: {
      size: 1,
      foo: 1,
      bar: [{ a: 1 }],
      ports: [{ name: "a", x: 1 }],
      tpl: { apiVersion: "v1", kind: "Pod", metadata: { qq: 1, name: "p" }, extra: { kept: true } },
      any: { kept: [1] },
    },
  };
  assert.deepEqual(prune(object, schema), [
    "metadata.zz",
    "spec.bar",
    "spec.foo",
    "spec.ports[0].x",
    "spec.tpl.metadata.qq",
  ]);
  assert.deepEqual(object, {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a" },
    spec: {
      size: 1,
      ports: [{ name: "a" }],
      tpl: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, extra: { kept: true } },
      any: { kept: [1] },
    },
  });
});

test("null that is not allowed is kept for the validation when asked, but replaced where it has a default", () => {
  const object: JsonObject = { spec: { name: null, color: null } };
  prune(object, schema, { keepNulls: true });
  applyDefaults(object, schema);
  assert.deepEqual(object, { spec: { name: null, color: "red" } });
});

test("null is dropped where it is not allowed and has no default, and replaced where it has one", () => {
  const object: JsonObject = { spec: { size: 3, nul: null, name: null, color: null, any: { x: null } } };
  prune(object, schema);
  applyDefaults(object, schema);
  assert.deepEqual(object, { spec: { size: 3, nul: null, color: "red", any: { x: null } } });
});

test("names that JavaScript gives to every object are fields like any other", () => {
  const object = JSON.parse(
    '{"spec":{"size":1,"__proto__":{"polluted":true},"constructor":1},"__proto__":{"x":1}}',
  ) as JsonObject;
  assert.deepEqual(prune(object, schema), ["__proto__", "spec.__proto__", "spec.constructor"]);
  assert.deepEqual(Object.keys(object), ["spec"]);
  assert.equal(({} as JsonObject)["polluted"], undefined);
});

test("a map keeps a key named __proto__", () => {
  const object = JSON.parse('{"spec":{"size":1,"labels":{"__proto__":"a"}}}') as JsonObject;
  assert.deepEqual(prune(object, schema), []);
  assert.equal(JSON.stringify(object), '{"spec":{"size":1,"labels":{"__proto__":"a"}}}');
});

const WRONG: readonly (readonly [metadata: Json, message: string])[] = [
  [{ labels: 5 }, "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string"],
  [{ labels: { a: 5 } }, "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"],
  [
    { ownerReferences: [{ name: 5 }] },
    "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string",
  ],
  [{ generation: "x" }, "json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64"],
  [{ creationTimestamp: "x" }, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  [5, "json: cannot unmarshal number into Go value of type v1.ObjectMeta"],
];
for (const [metadata, message] of WRONG) {
  test(`metadata ${JSON.stringify(metadata)} is refused in the decoder's words`, () => {
    assert.throws(() => prune({ metadata: deepClone(metadata) }, schema), new MetadataError(message));
  });
}

test("metadata of an embedded resource is refused with the place where it stands", () => {
  const object: JsonObject = { spec: { tpl: { metadata: { labels: 5 } } } };
  assert.throws(() => prune(object, schema), {
    message:
      'spec.tpl.metadata: Invalid value: {"labels":5}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
  });
  prune(object, schema, { dropInvalid: true });
  assert.deepEqual(object, { spec: { tpl: { metadata: {} } } });
});

const anyJson = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;
const field = fc.constantFrom(
  "size",
  "name",
  "tags",
  "ports",
  "labels",
  "tpl",
  "any",
  "nul",
  "one",
  "color",
  "proto",
  "other",
);
const objects = fc
  .tuple(fc.dictionary(field, anyJson), fc.array(fc.dictionary(fc.constantFrom("name", "proto", "port", "x"), anyJson)))
  .map(([spec, ports]): JsonObject => ({ metadata: { name: "a" }, spec: { ...spec, ports } }));

test("pruning and defaulting twice is the same as once, and validation never throws", () => {
  fc.assert(
    fc.property(
      objects.map((made) => JSON.parse(JSON.stringify(made)) as JsonObject),
      (object) => {
        prune(object, schema, { dropInvalid: true });
        applyDefaults(object, schema);
        const once = deepClone(object);
        assert.deepEqual(prune(object, schema, { dropInvalid: true }), []);
        applyDefaults(object, schema);
        assert.deepEqual(object, once);
        validateValue(object, schema);
      },
    ),
    { numRuns: 300 },
  );
});
