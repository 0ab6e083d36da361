import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../json/json.ts";
import { CostBudget } from "../budget.ts";
import { compile } from "../compile.ts";
import { formatDouble } from "../format-double.ts";
import { fromJson } from "../json-value.ts";
import { formatTimestamp } from "../time.ts";
import { boolType, doubleType, dynType, intType, listType, mapType, stringType } from "../types.ts";
import { CelError, CelUint, isList, isMap } from "../value.ts";
import type { CelValue } from "../value.ts";

/**
 * An expression, what kube-apiserver makes of it, what that costs there, and the variables it sees. The outcome is a
 * value as a literal, `error: ...` when it fails, or `refused: ...` with line, column and message when it does not compile.
 */
export type Case = readonly [
  expression: string,
  outcome: string,
  cost?: number | undefined,
  variables?: Readonly<Record<string, Json>>,
];

const variables = new Map([
  ["x", dynType],
  ["i", intType],
  ["s", stringType],
  ["d", doubleType],
  ["b", boolType],
  ["l", listType(stringType)],
  ["li", listType(intType)],
  ["m", mapType(stringType, intType)],
]);

/** Makes a test of each case. */
export function testCases(cases: readonly Case[]): void {
  for (const [expression, outcome, cost, given = {}] of cases) {
    const shown = expression.length > 100 ? `${expression.slice(0, 100)}...` : expression;
    test(`${JSON.stringify(shown)} gives ${outcome}`, () => {
      const result = run(expression, given);
      assert.equal(result.outcome, outcome);
      if (cost !== undefined) assert.equal(result.cost, cost);
    });
  }
}

function run(expression: string, given: Readonly<Record<string, Json>>): { outcome: string; cost: number } {
  const compiled = compile(expression, { variables });
  if (!compiled.ok) {
    const found = Array.from(
      compiled.message.matchAll(/^ERROR: <input>:(-?\d+:\d+): (.*)$/gm),
      ([, at, text]) => `${at} ${text}`,
    );
    return { outcome: `refused: ${found.length === 0 ? compiled.message : found.join("; ")}`, cost: 0 };
  }
  const budget = new CostBudget(1_000_000);
  const activation = (name: string): CelValue | undefined =>
    Object.hasOwn(given, name) ? fromJson(given[name]!, variables.get(name) ?? dynType) : undefined;
  try {
    return { outcome: show(compiled.program.evaluate(activation, budget)), cost: budget.spent };
  } catch (error) {
    if (error instanceof CelError) return { outcome: `error: ${error.message}`, cost: budget.spent };
    throw error;
  }
}

/** A value as a literal. Map entries are sorted. */
export function show(value: CelValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isInteger(value) ? `${formatDouble(value)}.0` : formatDouble(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Uint8Array) return `b"${Buffer.from(value).toString("hex")}"`;
  if (value instanceof CelUint) return `${value.value}u`;
  if (isList(value)) return `[${Array.from(value, show).join(", ")}]`;
  if (isMap(value)) {
    return `{${Array.from(value.keys(), (key) => `${show(key)}: ${show(value.get(key)!)}`)
      .toSorted()
      .join(", ")}}`;
  }
  switch (value.kind) {
    case "timestamp":
      return formatTimestamp(value);
    case "duration":
      return `${value.nanos}ns`;
    case "optional":
      return value.value === undefined ? "none" : `optional(${show(value.value)})`;
    case "type":
      return `type ${value.name}`;
    default:
      return String(value);
  }
}
