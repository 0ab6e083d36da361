import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsByField, filledIn, pathText, withValue } from "./form-value.ts";
import { fieldsOf, firstValue, limitsOf, schemaOfKind, shapeOf } from "./schema.ts";

test("a form's tree is changed without touching what was there before", () => {
  const before = { spec: { rules: [{ host: "a" }] } };
  const after = withValue(before, ["spec", "rules", 1, "host"], "b");
  assert.deepEqual(after, { spec: { rules: [{ host: "a" }, { host: "b" }] } });
  assert.deepEqual(before, { spec: { rules: [{ host: "a" }] } });
  assert.deepEqual(withValue(after, ["spec", "rules", 0], undefined), { spec: { rules: [{ host: "b" }] } });
  assert.deepEqual(withValue(after, ["spec"], undefined), {});
});

test("names that objects have by themselves are names like any other", () => {
  const tree = withValue({}, ["labels", "__proto__"], "x") as { labels: object };
  assert.ok(Object.hasOwn(tree.labels, "__proto__"));
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});

test("fields that nobody filled in are not sent, and complaints are found at their field", () => {
  assert.deepEqual(filledIn({ a: undefined, b: { c: undefined }, d: [1, undefined], e: false }), {
    b: {},
    d: [1],
    e: false,
  });
  assert.equal(pathText(["spec", "rules", 0, "host"]), "spec.rules[0].host");
  const faults = faultsByField([
    { field: "spec.hostname", message: "no" },
    { field: "spec.hostname", message: "never" },
  ]);
  assert.deepEqual(faults.get("spec.hostname"), ["no", "never"]);
});

test("a schema says what each field is, which must be given, and within which limits", () => {
  const schema = {
    type: "object",
    required: ["zone", "inner"],
    properties: {
      name: { type: "string" },
      zone: { type: "string", enum: ["a", "b"] },
      inner: { type: "object", required: ["deep"], properties: { deep: { type: "object", properties: {} } } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      port: { "x-kubernetes-int-or-string": true },
      list: { type: "array", items: { type: "integer", minimum: 1, maximum: 9 } },
      any: { "x-kubernetes-preserve-unknown-fields": true },
    },
  };
  const shapes = fieldsOf(schema).map(({ name, schema: each, required }) => `${name} ${shapeOf(each)} ${required}`);
  assert.deepEqual(shapes, [
    "inner group true",
    "zone choice true",
    "any json false",
    "labels map false",
    "list list false",
    "name text false",
    "port text false",
  ]);
  assert.deepEqual(firstValue(schema), { inner: { deep: {} }, zone: undefined });
  assert.equal(limitsOf(schema.properties.list.items), "from 1 to 9");
  const document = {
    components: { schemas: { x: { "x-kubernetes-group-version-kind": [{ group: "g", version: "v1", kind: "K" }] } } },
  };
  assert.ok(schemaOfKind(document, { group: "g", version: "v1", kind: "K" }));
  assert.equal(schemaOfKind(document, { group: "g", version: "v2", kind: "K" }), undefined);
});
