import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError } from "../field-error.ts";
import type { JsonObject } from "../json/json.ts";
import { compileSchema } from "./object-schema.ts";
import { widgetSchema } from "./testing/widget-schema.ts";

const text = { type: "string", maxLength: 50 };
const spec: JsonObject = {
  type: "object",
  "x-kubernetes-validations": [
    { rule: "!has(self.a) || self.a != 'bad'", messageExpression: "'a is ' + self.a" },
    {
      rule: "!has(self.b) || self.b != 'bad'",
      message: "  trimmed  ",
      reason: "FieldValueRequired",
      fieldPath: ".b",
    },
    { rule: "!has(self.b) || self.b != 'dup'", reason: "FieldValueDuplicate", fieldPath: ".b" },
    { rule: "!has(self.m) || !('bad' in self.m)", fieldPath: ".m['x.y']" },
    { rule: "!has(self.c) || self.m['missing'] == 'x'" },
    { rule: "!has(self.me) || false", messageExpression: "self.me" },
    { rule: "!has(self.old) || self.old == oldSelf.old" },
    { rule: "oldSelf.hasValue() || !has(self.opt)", optionalOldSelf: true, message: "opt only on update" },
  ],
  properties: {
    a: text,
    b: text,
    c: text,
    old: text,
    opt: text,
    me: { type: "string", maxLength: 6000 },
    m: {
      type: "object",
      maxProperties: 10,
      additionalProperties: { ...text, "x-kubernetes-validations": [{ rule: "self != 'no'" }] },
    },
    set: {
      type: "array",
      maxItems: 10,
      "x-kubernetes-list-type": "set",
      items: text,
      "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "set changed" }],
    },
    lm: {
      type: "array",
      maxItems: 10,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: {
        type: "object",
        required: ["k"],
        properties: {
          k: text,
          v: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "v shrank" }] },
        },
      },
    },
    n: { type: "integer", "x-kubernetes-validations": [{ rule: "self < 100" }] },
    heavy: {
      type: "array",
      maxItems: 60,
      items: { type: "integer" },
      "x-kubernetes-validations": [{ rule: "self.all(x, self.all(y, self.all(z, x+y+z >= 0)))" }],
    },
  },
};
const schema = compileSchema({ type: "object", properties: { spec } });
const object = (fields: JsonObject): JsonObject => ({ metadata: { name: "x" }, spec: fields });
const created = (fields: JsonObject): string[] => schema.validate(object(fields)).map(formatFieldError);
const updated = (old: JsonObject, next: JsonObject, warn: (text: string) => void = () => {}): string[] =>
  schema.validateUpdate(object(next), object(old), warn).map(formatFieldError);

const CASES: readonly (readonly [what: string, fields: JsonObject, ...errors: string[]])[] = [
  ["a messageExpression speaks for its rule", { a: "bad" }, "spec: Invalid value: a is bad"],
  ["a rule names its reason and field", { b: "bad" }, "spec.b: Required value: trimmed"],
  ["a duplicate of an object shows no value", { b: "dup" }, "spec.b: Duplicate value"],
  [
    "a rule without message is told itself, at a key of a map",
    { m: { bad: "1" } },
    "spec.m[x.y]: Invalid value: failed rule: !has(self.m) || !('bad' in self.m)",
  ],
  ["values of maps are told by key", { m: { q: "no" } }, "spec.m[q]: Invalid value: \"no\": failed rule: self != 'no'"],
  [
    "a rule that cannot be evaluated is an error",
    { c: "1", m: {} },
    "spec: Invalid value: \"object\": no such key: missing evaluating rule: !has(self.c) || self.m['missing'] == 'x'",
  ],
  ["a message is trimmed", { me: "  hello  " }, "spec: Invalid value: hello"],
  [
    "a message with line breaks is not used",
    { me: "a\nb" },
    "spec: Invalid value: failed rule: !has(self.me) || false",
  ],
  ["a blank message is not used", { me: "  " }, "spec: Invalid value: failed rule: !has(self.me) || false"],
  ["transition rules wait for an old value", { old: "a" }],
  ["an optional oldSelf is empty on creation", { opt: "x" }, "spec: Invalid value: opt only on update"],
  ["scalars are shown", { n: 500 }, "spec.n: Invalid value: 500: failed rule: self < 100"],
];
for (const [what, fields, ...errors] of CASES) {
  test(what, () => assert.deepEqual(created(fields), errors));
}

test("a rule that costs too much ends the evaluation", () => {
  const [error, ...others] = created({ heavy: Array.from({ length: 60 }, (_, i) => i) });
  assert.match(error ?? "", /no further validation rules will be run due to call cost exceeds limit for rule/);
  assert.deepEqual(others, []);
});

test("transition rules compare with the old value: fields by name, items of map lists by key, sets in any order", () => {
  assert.deepEqual(updated({ old: "a" }, { old: "b" }), [
    "spec: Invalid value: failed rule: !has(self.old) || self.old == oldSelf.old",
  ]);
  assert.deepEqual(updated({}, { opt: "x" }), []);
  assert.deepEqual(updated({ set: ["a", "b"] }, { set: ["b", "a"] }), []);
  assert.deepEqual(updated({ set: ["a"] }, { set: ["b"] }), ["spec.set: Invalid value: set changed"]);
  const before = [
    { k: "a", v: 5 },
    { k: "b", v: 6 },
  ];
  assert.deepEqual(
    updated(
      { lm: before },
      {
        lm: [
          { k: "b", v: 5 },
          { k: "c", v: 1 },
        ],
      },
    ),
    ["spec.lm[0].v: Invalid value: 5: v shrank"],
  );
});

test("a rule that an unchanged part breaks is a warning", () => {
  const warnings: string[] = [];
  assert.deepEqual(
    updated({ n: 500, a: "x" }, { n: 500, a: "y" }, (text) => warnings.push(text)),
    [],
  );
  assert.deepEqual(warnings, ["spec.n: Invalid value: 500: failed rule: self < 100"]);
  assert.deepEqual(updated({ n: 500 }, { n: 501 }), ["spec.n: Invalid value: 501: failed rule: self < 100"]);
});

test("rules do not run on an object that is wrong in type", () => {
  assert.deepEqual(created({ n: "x", a: "bad" }), [
    'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
    "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  ]);
});

test("a write to the status is judged by the status alone, and told below it", () => {
  const widget = compileSchema(widgetSchema);
  const old = { spec: { size: 99 }, status: { phase: "A" } };
  assert.deepEqual(
    widget.validateStatusUpdate({ spec: { size: 99 }, status: { phase: "C" } }, old, () => {}).map((e) => e.field),
    ["status.phase", "<nil>"],
  );
});

test("metadata merges as ObjectMeta does, lists and maps as the schema says", () => {
  const { type } = compileSchema(widgetSchema);
  const metadata = type.field("metadata")?.type;
  assert.equal(metadata?.kind, "object");
  const finalizers = metadata.kind === "object" ? metadata.field("finalizers")?.type : undefined;
  assert.equal(finalizers?.kind === "list" && finalizers.mode, "set");
  const fields = type.field("spec")?.type;
  const ports = fields?.kind === "object" ? fields.field("ports")?.type : undefined;
  assert.deepEqual(ports?.kind === "list" && [ports.mode, ports.keys], ["map", ["name", "proto"]]);
});
