import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json, JsonObject } from "../json/json.ts";
import { CostBudget } from "./budget.ts";
import { compile } from "./compile.ts";
import { fromJson } from "./json-value.ts";
import { celTypeFromSchema } from "./schema-type.ts";
import { dynType } from "./types.ts";
import type { CelType } from "./types.ts";
import { CelError } from "./value.ts";

const items: JsonObject = { type: "object", properties: { name: { type: "string" }, v: { type: "integer" } } };
const schema: JsonObject = {
  type: "object",
  properties: {
    i: { type: "integer" },
    n: { type: "number" },
    nothing: { type: "string", nullable: true },
    time: { type: "string", format: "date-time" },
    date: { type: "string", format: "date" },
    wait: { type: "string", format: "duration" },
    bytes: { type: "string", format: "byte" },
    port: { "x-kubernetes-int-or-string": true },
    set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    list: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items },
    plain: { type: "array", items: { type: "integer" } },
    map: { type: "object", additionalProperties: { type: "integer" } },
    "a-b": { type: "integer" },
    if: { type: "integer" },
    x__y: { type: "integer" },
    "p.q/r": { type: "integer" },
    kept: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: { type: "string" } } },
    pod: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  },
};
const data: JsonObject = {
  apiVersion: "a/v1",
  kind: "T",
  metadata: { name: "nm", labels: { a: "b" } },
  i: 3,
  n: 2,
  nothing: null,
  time: "2020-01-01T00:00:00Z",
  date: "2020-02-03",
  wait: "1h30m",
  bytes: "aGVsbG8=",
  port: "50%",
  set: ["b", "a"],
  list: [
    { name: "x", v: 1 },
    { name: "y", v: 2 },
  ],
  plain: [1, 2],
  map: JSON.parse('{"k": 1, "constructor": 2, "__proto__": 3}') as Json,
  "a-b": 5,
  if: 6,
  x__y: 7,
  "p.q/r": 8,
  kept: { known: "k", unknown: [1] },
  pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" } },
};

function holds(expression: string, type: CelType, value: Json, old: Json = value): unknown {
  const result = compile(expression, {
    variables: new Map([
      ["self", type],
      ["oldSelf", type],
    ]),
  });
  if (!result.ok) throw new Error(result.message);
  const values = new Map([
    ["self", fromJson(value, type)],
    ["oldSelf", fromJson(old, type)],
  ]);
  return result.program.evaluate((name) => values.get(name), new CostBudget(1_000_000));
}

describe("data of a schema", () => {
  const type = celTypeFromSchema(schema, { root: true })!;
  for (const [expression, expected = true] of [
    ["self.i + 1 == 4 && type(self.i) == int"],
    ["self.n / 4.0 == 0.5 && type(self.n) == double"],
    ["has(self.nothing)", false],
    ["self.?nothing.hasValue()", false],
    ["self.time < timestamp('2021-01-01T00:00:00Z') && self.date.getMonth() == 1"],
    ["self.wait == duration('90m') && self.bytes == b'hello'"],
    ["type(self.port) == string && self.port.endsWith('%')"],
    ["self.port == 5", false],
    ["self.set == ['a', 'b'] && self.set + ['c', 'a'] == ['a', 'c', 'b']"],
    ["(self.set + ['c', 'a'])[2] == 'c'"],
    ["self.plain + [3] == [1, 2, 3] && self.plain != [2, 1]"],
    ["self.list.exists(e, e.name == 'y' && e.v == 2) && self.list.map(e, e.name) == ['x', 'y']"],
    ["self.map.constructor == 2 && self.map['__proto__'] == 3 && self.map.size() == 3"],
    ["self.map == {'k': 1, 'constructor': 2, '__proto__': 3}"],
    ["self.map.all(k, self.map[k] > 0) && !('toString' in self.map)"],
    ["self.a__dash__b == 5 && self.__if__ == 6 && self.x__underscores__y == 7 && self.p__dot__q__slash__r == 8"],
    ["self.metadata.name == 'nm' && !has(self.metadata.generateName) && self.kind == 'T'"],
    ["self.pod.kind == 'Pod' && self.pod.metadata.name == 'p'"],
    ["type(self.kept) == map && self.kept.known == 'k'"],
    ["self == oldSelf"],
  ] as const) {
    test(`${expression} is ${expected}`, () => assert.equal(holds(expression, type, data), expected));
  }

  test("what costs one look each time is looked through once, however often an expression asks", () => {
    let looks = 0;
    const counted = <T extends object>(value: T): T =>
      new Proxy(value, {
        ownKeys: (target) => (looks++, Reflect.ownKeys(target)),
        get: (target, key, receiver) => {
          if (key === "map") looks++;
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
    const many = Array.from({ length: 100 }, (_, at) => at);
    const value = { ...data, plain: many, map: counted({ k: 1 }), set: counted(["a", "b"]) };
    assert.equal(holds("self.plain.all(i, size(self.map) == 1 && size(self.set) == 2)", type, value), true);
    assert.ok(looks <= 4, `${looks}`);
  });

  test("durations in words that are made to take long are read in the time of others", () => {
    const wait = `1s ${"1".repeat(2_000_000)}`;
    assert.equal(holds("self.wait == duration('1s')", type, { ...data, wait }), true);
    assert.throws(() => holds("self.wait > duration('1s')", type, { ...data, wait: `${wait} days` }), CelError);
  });

  test("map lists are equal in any order, and adding merges by key", () => {
    const old = {
      ...data,
      list: [
        { name: "y", v: 2 },
        { name: "x", v: 1 },
      ],
    };
    assert.equal(holds("self.list == oldSelf.list", type, data, old), true);
    const changed = {
      ...data,
      list: [
        { name: "y", v: 9 },
        { name: "z", v: 3 },
      ],
    };
    assert.equal(holds("(self.list + oldSelf.list).map(e, e.v) == [1, 9, 3]", type, data, changed), true);
  });

  test("fields that the schema does not know still count when objects are compared", () => {
    const old = { ...data, kept: { known: "k", unknown: [2] } };
    assert.equal(holds("self.kept == oldSelf.kept", type, data, old), false);
  });

  test("data that is not of its type is an error of the expression that reads it", () => {
    assert.throws(() => holds("self.i == 1", type, { ...data, i: "x" }), CelError);
    assert.throws(() => holds("self.time == self.time", type, { ...data, time: "x" }), CelError);
  });
});

describe("data without a schema", () => {
  for (const [expression, expected = true] of [
    ["self.i + 1 == 4 && type(self.n) == int"],
    ["self.nothing == null && has(self.nothing)"],
    ["self.metadata.labels.a == 'b' && self['a-b'] == 5"],
    ["self.list.filter(e, e.v > 1).size() == 1"],
    ["has(self.constructor)", false],
    ["self.?a.?b.orValue('none') == 'none'"],
    ["self.set == ['a', 'b']", false],
  ] as const) {
    test(`${expression} is ${expected}`, () => assert.equal(holds(expression, dynType, data), expected));
  }

  test("numbers with a fraction are doubles", () => {
    assert.equal(holds("type(self[0]) == double && type(self[1]) == int", dynType, [1.5, 2]), true);
  });
});
