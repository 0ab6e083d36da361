import { deepClone } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { CelError, CostBudget, boolType, compile, dynType, fromJson, intType } from "@gatewright/kube/cel";
import type { Around } from "../around.ts";
import type { ArrayOperationSpec } from "./transform-spec.ts";
import { compareJson } from "./compare-json.ts";
import { parseFieldPath, valueAt, visitValues } from "./field-path.ts";
import type { FieldPath } from "./field-path.ts";
import { formatJson, withPlainNumbers } from "./json-text.ts";

/** Changes an array in place. */
type Change = (items: Json[]) => void;

/** What evaluating the condition of one whole array may cost. */
const FILTER_COST = 1_000_000;

/** Compiles what is done with an array of a body; undefined, and noted, when it makes no sense. Other values than arrays stay. */
export function arrayOperation(
  spec: ArrayOperationSpec,
  field: string,
  around: Pick<Around, "note">,
): ((body: Json) => void) | undefined {
  const wrong = (part: string, message: string): undefined => {
    around.note({ field: `${field}.${part}`, message, severity: "error" });
    return undefined;
  };
  // A [] at the end means the array itself.
  const text = spec.field.replace(/(?:\[\])$/, "");
  const path = text === "" && spec.field === "[]" ? [] : parseFieldPath(text);
  if (path === undefined) return wrong("field", `${JSON.stringify(spec.field)} is no path of fields`);
  const change = changeOf(spec, wrong);
  if (change === undefined) return undefined;
  return (body) =>
    visitValues(body, path, (found) => {
      if (Array.isArray(found)) change(found);
    });
}

function changeOf(spec: ArrayOperationSpec, wrong: (part: string, message: string) => undefined): Change | undefined {
  const value = spec.value as Json | undefined;
  switch (spec.operation) {
    case "append":
    case "prepend": {
      if (value === undefined) return wrong("value", "what should be added is missing");
      const isFirst = spec.operation === "prepend";
      return (items) => void (isFirst ? items.unshift(deepClone(value)) : items.push(deepClone(value)));
    }
    case "limit": {
      const limit = Number(value);
      if (value === undefined || value === null || !Number.isInteger(limit) || limit < 0)
        return wrong("value", "has to be how many items stay");
      return (items) => void (items.length = Math.min(items.length, limit));
    }
    case "sort": {
      const by = keyPath(value);
      if (by === undefined) return wrong("value", "has to be the field to sort by");
      return (items) =>
        void items.sort((one, other) => by.sign * compareJson(valueAt(one, by.path), valueAt(other, by.path)));
    }
    case "deduplicate": {
      const by = keyPath(value);
      if (by === undefined) return wrong("value", "has to be the field that tells items apart");
      return (items) => deduplicate(items, by.path);
    }
    case "filter":
      return filterChange(spec.condition ?? "", wrong);
    default:
      return wrong("operation", `${JSON.stringify(spec.operation)} is not known`);
  }
}

function filterChange(condition: string, wrong: (part: string, message: string) => undefined): Change | undefined {
  const compiled = compile(condition, {
    variables: new Map([
      ["item", dynType],
      ["index", intType],
    ]),
  });
  if (!compiled.ok) return wrong("condition", compiled.message);
  const { program } = compiled;
  if (program.resultType.kind !== boolType.kind && program.resultType.kind !== dynType.kind)
    return wrong("condition", "does not say yes or no");
  return (items) => {
    const budget = new CostBudget(FILTER_COST);
    const holds = (item: Json, index: number): boolean => {
      const variables = new Map([
        ["item", fromJson(withPlainNumbers(item), dynType)],
        ["index", BigInt(index)],
      ] as const);
      try {
        return program.evaluate((name) => variables.get(name as "item" | "index"), budget) === true;
      } catch (error) {
        // An item that the condition cannot be asked about does not fulfil it.
        if (error instanceof CelError) return false;
        throw error;
      }
    };
    let to = 0;
    for (const [index, item] of items.entries()) if (holds(item, index)) items[to++] = item;
    items.length = to;
  };
}

function keyPath(value: Json | undefined): { readonly path: FieldPath; readonly sign: 1 | -1 } | undefined {
  if (value === undefined || value === null || value === "") return { path: [], sign: 1 };
  if (typeof value !== "string") return undefined;
  const sign = value.startsWith("-") ? -1 : 1;
  const text = sign === -1 ? value.slice(1) : value;
  const path = text === "" ? [] : parseFieldPath(text);
  return path === undefined ? undefined : { path, sign };
}

function deduplicate(items: Json[], path: FieldPath): void {
  const seen = new Set<string>();
  let to = 0;
  for (const item of items) {
    const key = valueAt(item, path);
    const text = key === undefined ? undefined : formatJson(key);
    if (text !== undefined && seen.has(text)) continue;
    if (text !== undefined) seen.add(text);
    items[to++] = item;
  }
  items.length = to;
}
