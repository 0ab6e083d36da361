import type { Case, Topic } from "../case.ts";
import { TABLE, create, mergePatch, read, replace, strategicPatch } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

const GROUP = "schemas.example.com";
const widgets = widgetsOf(GROUP);
const widget = widgetOf(GROUP);

const fields: Readonly<Record<string, object>> = {
  count: { type: "integer", minimum: 1, maximum: 10, multipleOf: 2 },
  above: { type: "number", minimum: 1, exclusiveMinimum: true },
  big: { type: "integer", format: "int32" },
  ratio: { type: "number", format: "double" },
  word: { type: "string", minLength: 2, maxLength: 4, pattern: "^[a-z]+$" },
  choice: { type: "string", enum: ["a", "b"] },
  when: { type: "string", format: "date-time" },
  day: { type: "string", format: "date" },
  address: { type: "string", format: "ipv4" },
  network: { type: "string", format: "cidr" },
  link: { type: "string", format: "uri" },
  mail: { type: "string", format: "email" },
  id: { type: "string", format: "uuid" },
  bytes: { type: "string", format: "byte" },
  span: { type: "string", format: "duration" },
  flag: { type: "boolean" },
  list: { type: "array", minItems: 1, maxItems: 2, items: { type: "integer" } },
  unique: { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } },
  named: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "protocol"],
    items: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        protocol: { type: "string", default: "TCP" },
        value: { type: "integer" },
      },
    },
  },
  table: { type: "object", minProperties: 1, maxProperties: 2, additionalProperties: { type: "integer" } },
  needs: { type: "object", required: ["a", "b"], properties: { a: { type: "string" }, b: { type: "string" } } },
  maybe: { type: "string", nullable: true },
  maybeDefault: { type: "string", nullable: true, default: "x" },
  port: { "x-kubernetes-int-or-string": true },
  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: { type: "integer" } } },
  anything: { "x-kubernetes-preserve-unknown-fields": true },
  embedded: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  either: {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
  },
  any: {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  },
  neither: { type: "string", not: { enum: ["no"] } },
  every: { type: "integer", allOf: [{ minimum: 1 }, { maximum: 5 }] },
  defaults: {
    type: "object",
    default: {},
    properties: { inner: { type: "string", default: "deep" }, size: { type: "integer", default: 3 } },
  },
  filled: { type: "object", properties: { inner: { type: "string", default: "deep" } } },
  items: {
    type: "array",
    items: { type: "object", properties: { a: { type: "string", default: "d" }, b: { type: "integer" } } },
  },
};
const schema = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: { type: "object", properties: fields },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
};

/** One case for each value of a field: `count 3`. */
const values: readonly (readonly [string, ...unknown[]])[] = [
  ["count", 2, 0, 3, 12, "2", 2.5, null, true],
  ["above", 1, 1.5],
  ["big", 2_147_483_648],
  ["ratio", 1e3, "1"],
  ["word", "abc", "a", "abcde", "AB", ""],
  ["choice", "a", "c", 1],
  ["when", "2026-01-01T00:00:00Z", "2026-01-01", "now"],
  ["day", "2026-01-01", "2026-13-01"],
  ["address", "10.0.0.1", "10.0.0.256", "::1"],
  ["network", "10.0.0.0/8", "10.0.0.0"],
  ["link", "https://example.com/x", "no link"],
  ["mail", "a@example.com", "a"],
  ["id", "123e4567-e89b-12d3-a456-426614174000", "123"],
  ["bytes", "aGk=", "!"],
  ["span", "1h5m", "soon"],
  ["flag", true, "true"],
  ["list", [1], [], [1, 2, 3], ["a"], "x"],
  ["unique", [1, 2], [1, 1], [1, 1, 2, 2]],
  ["named", [{ name: "a" }], [{ name: "a" }, { name: "a" }], [{ name: "a" }, { name: "a", protocol: "UDP" }], [{}]],
  ["table", { a: 1 }, {}, { a: 1, b: 2, c: 3 }, { a: "x" }],
  ["needs", { a: "1", b: "2" }, {}, { a: "1" }],
  ["maybe", "x", null],
  ["maybeDefault", null],
  ["port", 80, "http", true, 1.5],
  ["free", { known: 1, other: { deep: [1] } }, { known: "x" }],
  ["anything", [1, { a: 2 }], "text", null],
  [
    "embedded",
    { apiVersion: "v1", kind: "X", metadata: { name: "n", unknown: 1 }, more: 1 },
    { more: 1 },
    { apiVersion: "v1", kind: "x y" },
  ],
  ["either", { a: "1" }, { a: "1", b: "2" }, {}],
  ["any", { a: "1", b: "2" }, {}],
  ["neither", "yes", "no"],
  ["every", 3, 7],
  ["defaults", {}, { inner: "mine", unknown: 1 }],
  ["filled", {}, null],
  ["items", [{}, { a: "x", c: 1 }], [null]],
];
const valueCases = values.flatMap(([field, ...each]): Case[] =>
  each.map((value) => ({
    name: `${field} ${JSON.stringify(value)}`,
    steps: [create(widgets, widget("w", { [field]: value }))],
  })),
);
const one = create(widgets, { ...widget("w", { count: 2, word: "ab" }), status: { phase: "x" } });

export const topic: Topic = {
  crds: [widgetCrd(GROUP, schema, { selectableFields: [], subresources: { status: {} } })],
  cases: [
    ...valueCases,
    { name: "defaults of an empty object", steps: [create(widgets, widget("w"))] },
    {
      name: "unknown fields are pruned",
      steps: [create(widgets, { ...widget("w", { unknown: 1, items: [{ c: 1 }] }), more: { x: 1 } })],
    },
    {
      name: "unknown fields are refused when asked",
      steps: [
        create(`${widgets}?fieldValidation=Strict`, { ...widget("w", { unknown: 1, items: [{ c: 1 }] }), more: 1 }),
      ],
    },
    {
      name: "unknown fields are ignored when asked",
      steps: [create(`${widgets}?fieldValidation=Ignore`, widget("w", { unknown: 1 }))],
    },
    {
      name: "duplicate fields",
      steps: [
        create(
          widgets,
          `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"count":2,"count":4}}`,
        ),
      ],
    },
    { name: "unknown metadata", steps: [create(widgets, widget("w", {}, { unknown: 1, labels: { a: "b" } }))] },
    { name: "metadata that is not valid", steps: [create(widgets, widget("w", {}, { labels: "x" }))] },
    {
      name: "no spec",
      steps: [create(widgets, { apiVersion: `${GROUP}/v1`, kind: "Widget", metadata: { name: "w" } })],
    },
    { name: "a spec of another type", steps: [create(widgets, widget("w", "x"))] },
    {
      name: "several problems at once",
      steps: [create(widgets, widget("W_", { count: 3 }))],
    },
    { name: "without a kind", steps: [create(widgets, { metadata: { name: "w" }, spec: {} })] },
    { name: "another kind", steps: [create(widgets, { ...widget("w"), kind: "Gadget" })] },
    { name: "another version", steps: [create(widgets, { ...widget("w"), apiVersion: `${GROUP}/v2` })] },
    { name: "another group", steps: [create(widgets, { ...widget("w"), apiVersion: "other.example.com/v1" })] },
    { name: "an empty name", steps: [create(widgets, widget(""))] },
    { name: "a name that is too long", steps: [create(widgets, widget("a".repeat(254)))] },
    { name: "a generated name", steps: [create(widgets, widget("", {}, { name: undefined, generateName: "w-" }))] },
    { name: "status is not set when creating", steps: [one, read(`${widgets}/w`)] },
    {
      name: "status is changed apart",
      steps: [
        one,
        mergePatch(`${widgets}/w`, { status: { phase: "a" }, spec: { count: 4 } }),
        mergePatch(`${widgets}/w/status`, {
          status: { phase: "b" },
          spec: { count: 6 },
          metadata: { labels: { a: "b" } },
        }),
        read(`${widgets}/w/status`),
      ],
    },
    { name: "status that is not valid", steps: [one, mergePatch(`${widgets}/w/status`, { status: { phase: 1 } })] },
    {
      name: "a status is replaced",
      steps: [
        one,
        replace(`${widgets}/w/status`, { ...widget("w", { count: 8 }), status: { phase: "c", unknown: 1 } }),
      ],
    },
    {
      name: "generation counts changes of the spec",
      steps: [
        one,
        mergePatch(`${widgets}/w`, { metadata: { labels: { a: "b" } } }),
        mergePatch(`${widgets}/w`, { spec: { count: 4 } }),
      ],
    },
    { name: "a replacement", steps: [one, replace(`${widgets}/w`, widget("w", { word: "cd" }))] },
    { name: "a replacement that is not valid", steps: [one, replace(`${widgets}/w`, widget("w", { count: 99 }))] },
    { name: "a merge patch that is not valid", steps: [one, mergePatch(`${widgets}/w`, { spec: { count: "x" } })] },
    {
      name: "a merge patch with unknown fields, strictly",
      steps: [one, mergePatch(`${widgets}/w?fieldValidation=Strict`, { spec: { unknown: 1 } })],
    },
    { name: "a strategic patch", steps: [one, strategicPatch(`${widgets}/w`, {})] },
    { name: "a kind cannot be patched", steps: [one, mergePatch(`${widgets}/w`, { kind: "Gadget" })] },
    {
      name: "an apiVersion cannot be patched",
      steps: [one, mergePatch(`${widgets}/w`, { apiVersion: `${GROUP}/v2` })],
    },
    { name: "a scale that is not there", steps: [one, read(`${widgets}/w/scale`)] },
    { name: "as a Table", steps: [one, read(`${widgets}/w`, { accept: TABLE }), read(widgets, { accept: TABLE })] },
    {
      name: "as YAML",
      steps: [
        create(
          `${widgets}?fieldManager=m`,
          `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata: {name: w}\nspec: {count: 2, flag: on, when: 2026-01-01T00:00:00Z}\n`,
          { type: "application/yaml" },
        ),
      ],
    },
  ],
};
