import assert from "node:assert/strict";
import { test } from "node:test";
import { CostBudget } from "./budget.ts";
import { compile } from "./compile.ts";
import type { CelEnv } from "./environment.ts";
import { fn, method } from "./function.ts";

const env: CelEnv = {
  variables: new Map(),
  functions: [
    ["twice", [fn("twice_string", "string -> string", (text: string) => text + text)]],
    [
      "size",
      [method("string_size_plus", "string, int -> int", (text: string, more: bigint) => BigInt(text.length) + more)],
    ],
  ],
};

function value(expression: string, environment: CelEnv): unknown {
  const result = compile(expression, environment);
  return result.ok ? result.program.evaluate(() => undefined, new CostBudget(1000)) : result.message;
}

test("an environment has functions of its own, beside those that every expression has", () => {
  assert.equal(value("twice('ab') + 'c'", env), "ababc");
  assert.equal(value("'ab'.size(3) + 'ab'.size()", env), 7n);
  assert.match(String(value("twice(1)", env)), /found no matching overload for 'twice' applied to '\(int\)'/);
});

test("functions of one environment are not there in another", () => {
  assert.match(String(value("twice('ab')", { variables: new Map() })), /undeclared reference to 'twice'/);
});
