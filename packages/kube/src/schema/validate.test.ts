import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError } from "../field-error.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { Correlation } from "./correlation.ts";
import { parseSchema } from "./schema-node.ts";
import { widgetSchema } from "./testing/widget-schema.ts";
import { validateValue } from "./validate.ts";

const schema = parseSchema(widgetSchema);
const errors = (spec: JsonObject): string[] => validateValue({ spec }, schema).map(formatFieldError);

/** Errors of one field, as kube-apiserver 1.36 words them. */
const CASES: readonly (readonly [field: string, value: Json, ...errors: string[]])[] = [
  ["size", 11, "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10"],
  ["size", -1, "spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0"],
  ["size", "x", 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
  [
    "size",
    1.5,
    'spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.size',
  ],
  ["i32", 3000000000, '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.i32'],
  [
    "num",
    2.7,
    "spec.num: Invalid value: 2.7: spec.num in body should be a multiple of 0.5",
    "spec.num: Invalid value: 2.7: spec.num in body should be less than or equal to 2.5",
  ],
  ["emax", 1000000, "spec.emax: Invalid value: 1000000: spec.emax in body should be less than 1000000"],
  ["color", "x", 'spec.color: Unsupported value: "x": supported values: "red", "blue"'],
  [
    "color",
    5,
    'spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer"',
    'spec.color: Unsupported value: 5: supported values: "red", "blue"',
  ],
  ["name", "ABCDEFG", "spec.name: Too long: may not be more than 5 bytes"],
  ["name", "", 'spec.name: Invalid value: "": spec.name in body should be at least 2 chars long'],
  ["name", "ABC", "spec.name: Invalid value: \"ABC\": spec.name in body should match '^[a-z]+$'"],
  ["when", "x", 'spec.when: Invalid value: "x": spec.when in body must be of type date-time: "x"'],
  ["ip", "x", 'spec.ip: Invalid value: "x": spec.ip in body must be of type ipv4: "x"'],
  ["tags", [], "spec.tags: Invalid value: 0: spec.tags in body should have at least 1 items"],
  ["tags", ["a", "b", "c", "d"], "spec.tags: Too many: 4: must have at most 3 items"],
  ["labels", {}, "spec.labels: Invalid value: 0: spec.labels in body should have at least 1 properties"],
  [
    "labels",
    { a: "1", b: "2", c: 3 },
    "spec.labels: Too many: 3: must have at most 2 items",
    'spec.labels.c: Invalid value: "integer": spec.labels.c in body must be of type string: "integer"',
  ],
  [
    "ports",
    [{ port: true }],
    'spec.ports[0].port: Invalid value: "boolean": spec.ports[0].port in body must be of type integer,string: "boolean"',
    "spec.ports[0].name: Required value",
  ],
  [
    "one",
    { a: "1", b: "2" },
    '<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ],
  [
    "one",
    {},
    '<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). Found none valid',
    "spec.one.a: Required value",
  ],
  [
    "anyo",
    "b",
    '<nil>: Invalid value: "": "spec.anyo" must validate at least one schema (anyOf)',
    "spec.anyo: Invalid value: \"b\": spec.anyo in body should match '^a'",
  ],
  [
    "allo",
    "b",
    "spec.allo: Invalid value: \"b\": spec.allo in body should match '^a'",
    'spec.allo: Invalid value: "b": spec.allo in body should be at least 5 chars long',
    '<nil>: Invalid value: "": "spec.allo" must validate all the schemas (allOf). None validated',
  ],
  ["noto", "a", '<nil>: Invalid value: "": "spec.noto" must not validate the schema (not)'],
  ["enumi", 3, 'spec.enumi: Unsupported value: 3: supported values: "1", "2"'],
  ["nul", null],
  ["any", { anything: [1, null] }],
];

for (const [field, value, ...expected] of CASES) {
  test(`${field} ${JSON.stringify(value)} gets ${expected.length} errors`, () => {
    assert.deepEqual(errors({ size: 1, [field]: value }), expected);
  });
}

test("lengths count characters, not bytes", () => {
  const name = parseSchema({ type: "string", minLength: 2, maxLength: 2 });
  assert.deepEqual(validateValue("😀😀", name), []);
  assert.equal(validateValue("😀", name).length, 1);
  assert.equal(validateValue("😀😀😀", name).length, 1);
});

test("a missing root field is told by its name alone", () => {
  assert.deepEqual(validateValue({}, schema).map(formatFieldError), ["spec: Required value"]);
});

test("an error is forgiven where the value did not change", () => {
  const old = { spec: { size: 99, name: "TOO-LONG", labels: { a: 1 } } };
  const judge = (next: JsonObject): string[] =>
    validateValue(next, schema, { correlation: new Correlation(next, old, schema) }).map((e) => e.field);
  assert.deepEqual(judge({ spec: { size: 99, name: "ok", labels: { a: 1 } } }), []);
  assert.deepEqual(judge({ spec: { size: 98, name: "TOO-LONG" } }), ["spec.size"]);
  assert.deepEqual(judge({ spec: { size: 99, name: "TOO-LONGER" } }), ["spec.name"]);
  assert.deepEqual(judge({ spec: { size: 99, labels: { a: 1, b: 2 } } }), ["spec.labels.b"]);
});

test("items of map lists are forgiven by key, items of other lists are not", () => {
  const lists = parseSchema({
    type: "object",
    properties: {
      map: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer", maximum: 1 } } },
      },
      plain: { type: "array", items: { type: "integer", maximum: 1 } },
    },
  });
  const old = {
    map: [
      { k: "a", v: 5 },
      { k: "b", v: 6 },
    ],
    plain: [5],
  };
  const next = {
    map: [
      { k: "b", v: 6 },
      { k: "c", v: 7 },
    ],
    plain: [5, 0],
  };
  const found = validateValue(next, lists, { correlation: new Correlation(next, old, lists) });
  assert.deepEqual(
    found.map((e) => e.field),
    ["map[1].v", "plain[0]"],
  );
});
