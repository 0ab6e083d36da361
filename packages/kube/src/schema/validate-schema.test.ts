import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError } from "../field-error.ts";
import type { JsonObject } from "../json/json.ts";
import { widgetSchema } from "./testing/widget-schema.ts";
import { validateSchema } from "./validate-schema.ts";

const errors = (schema: JsonObject, status = false): string[] =>
  validateSchema(schema, "s", { status, unchanged: false }).map(formatFieldError).toSorted();
const withFields = (properties: JsonObject, over: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...over,
});
const text = { type: "string" };
const TRY =
  "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";

/** Each text was given by kube-apiserver 1.36 for the same schema. */
const CASES: readonly (readonly [what: string, schema: JsonObject, ...errors: string[]])[] = [
  ["a schema with every keyword is legal", widgetSchema],
  [
    "types are given outside of junctors, for every field",
    withFields(
      { spec: { properties: { a: {} } }, list: { type: "array" } },
      { anyOf: [{ properties: { q: { type: "string", description: "d" } } }], nullable: true },
    ),
    "s.anyOf[0].properties[q].description: Forbidden: must be empty to be structural",
    "s.anyOf[0].properties[q].type: Forbidden: must be empty to be structural",
    "s.nullable: Forbidden: nullable cannot be true at the root",
    "s.properties[list].items: Required value: must be specified",
    "s.properties[q]: Required value: because it is defined in s.anyOf[0].properties[q]",
    "s.properties[spec].properties[a].type: Required value: must not be empty for specified object fields",
    "s.properties[spec].type: Required value: must not be empty for specified object fields",
  ],
  [
    "metadata can only restrict names",
    withFields({ metadata: withFields({ labels: { type: "object" } }), kind: { type: "integer" } }),
    's.properties[kind].type: Invalid value: "integer": must be string',
    "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ],
  [
    "keys of map lists are scalars that are always there",
    withFields({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["n", "zz"],
        items: withFields({ n: { type: "string", nullable: true } }),
      },
    }),
    's.properties[a].x-kubernetes-list-map-keys: Invalid value: ["n","zz"]: entries must all be names of item properties',
    "s.properties[a].items.properties[n].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    "s.properties[a].items.properties[n].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
  ],
  [
    "keywords of other dialects are refused",
    withFields({ b: { $ref: "#/x", type: "string" }, g: { type: "string", id: "x" }, e: { type: "null" } }),
    "s.properties[b].$ref: Forbidden: $ref is not supported",
    's.properties[e].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
    "s.properties[e].type: Forbidden: type cannot be set to null, use nullable as an alternative",
    "s.properties[g].id: Forbidden: id is not supported",
  ],
  [
    "defaults fit their own schema",
    withFields({
      a: { type: "integer", default: "x" },
      b: { type: "object", default: { z: 1 }, properties: { q: text } },
      c: { type: "object", default: {}, required: ["q"], properties: { q: text } },
    }),
    's.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
    's.properties[b].default: Invalid value: {"z":1}: must not have unknown fields',
    "s.properties[c].default.q: Required value",
  ],
  [
    "rules compile to a boolean",
    withFields({
      a: { ...text, "x-kubernetes-validations": [{ rule: "1" }, { rule: "true", optionalOldSelf: true }] },
    }),
    's.properties[a].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool',
    "s.properties[a].x-kubernetes-validations[1].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule",
  ],
  [
    "rules have a limit of cost, alone and together, and oldSelf needs something to compare with",
    withFields({ l: { type: "array", items: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } } }),
    `s.properties[l].items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${TRY}`,
    's.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[l]',
    "s.properties[l].items.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
    `s: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${TRY}`,
  ],
];
for (const [what, schema, ...expected] of CASES) {
  test(what, () => assert.deepEqual(errors(schema), expected.toSorted()));
}

test("a pattern that only other engines know is refused", () => {
  const [error] = errors(withFields({ a: { type: "string", pattern: "(?=a)" } }));
  assert.match(
    error ?? "",
    /^s\.properties\[a\]\.pattern: Invalid value: "\(\?=a\)": must be a valid regular expression/,
  );
});

test("a status subresource restricts what may stand at the root", () => {
  assert.match(
    errors({ type: "object", minProperties: 1 }, true).join(),
    /fields are allowed at the root of the schema/,
  );
  assert.deepEqual(errors({ type: "object", required: ["spec"], properties: {} }, true), []);
});
