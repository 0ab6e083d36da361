import assert from "node:assert/strict";
import { test } from "node:test";
import { CostBudget, CostExceeded } from "./budget.ts";
import { compile } from "./compile.ts";
import { fromJson } from "./json-value.ts";
import { dynType, listType, stringType } from "./types.ts";
import { CelError } from "./value.ts";
import type { CelValue } from "./value.ts";

const variables = new Map([
  ["x", dynType],
  ["l", listType(stringType)],
  ["s", stringType],
]);

function evaluate(expression: string, given: Record<string, CelValue> = {}, limit = 1_000_000): CelValue {
  const result = compile(expression, { variables });
  if (!result.ok) throw new Error(result.message);
  return result.program.evaluate((name) => given[name], new CostBudget(limit));
}

const longList = fromJson(
  Array.from({ length: 2000 }, (_, i) => `item-${i}`),
  listType(stringType),
);

test("an expression that costs more than its budget is stopped", () => {
  assert.throws(
    () => evaluate("l.all(a, l.all(b, l.all(c, a != b || b != c || true)))", { l: longList }),
    CostExceeded,
  );
  assert.throws(() => evaluate("l.map(a, l.map(b, a + b)).size() > 0", { l: longList }), CostExceeded);
});

test("what stops an expression cannot be absorbed by a logical operator", () => {
  assert.throws(() => evaluate("l.all(a, l.all(b, a == b || true)) || true", { l: longList }, 1000), {
    name: "CostExceeded",
    message: "operation cancelled: actual cost limit exceeded",
  });
});

test("a list is paid for before it is made", () => {
  assert.throws(() => evaluate("lists.range(1000000000).size() > 0"), CostExceeded);
  assert.throws(() => evaluate("lists.range(9223372036854775807).size() > 0"), CostExceeded);
  assert.throws(() => evaluate("l.sort().size() > 0", { l: longList }), CostExceeded);
});

test("lists that share their items cannot claim to be larger than any request", () => {
  const bound = (value: (name: string) => string, body: string, depth: number): string =>
    Array.from({ length: depth }, (_, i) => `optional.of(${value(`v${i}`)}).optMap(v${i + 1}, `).join("") +
    body +
    ")".repeat(depth);
  const doubled = bound((name) => `${name} + ${name}`, "v60.isSorted()", 60);
  assert.throws(() => evaluate(`optional.of(l).optMap(v0, ${doubled}).hasValue()`, { l: longList }), CelError);
  const nested = bound((name) => `[${name}, ${name}]`, "v30.flatten(50).size()", 30);
  assert.throws(() => evaluate(`optional.of(l).optMap(v0, ${nested}).hasValue()`, { l: longList }), CelError);
});

test("text functions refuse to make texts that no request could hold", () => {
  const text = "a".repeat(100_000);
  assert.throws(() => evaluate("s.replace('', s).size() > 0", { s: text }), CelError);
  assert.throws(() => evaluate("l.join(s).size() > 0", { s: text, l: longList }), CelError);
});

test("regular expressions run in linear time", () => {
  assert.equal(evaluate("s.matches('^(a+)+$')", { s: `${"a".repeat(5000)}b` }), false);
});

test("a budget tells what an evaluation cost, also when it failed", () => {
  const result = compile("l.all(i, i.size() > 0) && x.missing", { variables });
  assert.ok(result.ok);
  const budget = new CostBudget(1_000_000);
  assert.throws(
    () => result.program.evaluate((name) => (name === "l" ? longList : fromJson({}, dynType)), budget),
    CelError,
  );
  assert.ok(budget.spent > 2000);
});
