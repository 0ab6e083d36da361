import { getOwn, isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";
import type { PathStep } from "./parse.ts";

/** How many values one evaluation may touch, so that stacked `..` cannot multiply without end. */
const BUDGET = 100_000;

/** A step that makes no sense for the value at hand: the path has no result. */
class NoResult extends Error {}

/** All values that a path leads to, in document order. What cannot be evaluated gives none. */
export function evaluatePath(path: readonly PathStep[], root: Json): Json[] {
  try {
    return walk(path, [root], { left: BUDGET });
  } catch (error) {
    if (error instanceof NoResult) return [];
    throw error;
  }
}

interface Budget {
  left: number;
}

function walk(path: readonly PathStep[], from: Json[], budget: Budget): Json[] {
  let values = from;
  for (const step of path) {
    values = apply(step, values, budget);
    budget.left -= values.length + 1;
    if (budget.left < 0) throw new NoResult();
  }
  return values;
}

function apply(step: PathStep, values: Json[], budget: Budget): Json[] {
  switch (step.type) {
    case "field":
      return values.flatMap((value) => {
        const found = isObject(value) ? getOwn(value, step.name) : undefined;
        return found === undefined ? [] : [found];
      });
    case "wildcard":
      return values.flatMap(children);
    case "recursive":
      return descend(values, budget);
    case "slice":
      return values.flatMap((value) => (value === null ? [] : slice(value, step)));
    case "union":
      return step.paths.flatMap((path) => walk(path, values, budget));
    case "exists":
      return filter(values, (item) => exists(step.path, item, budget));
    case "compare":
      return filter(values, (item) => compares(step, item, budget));
    case "literal":
      return values.map(() => step.value);
    case "word":
      if (step.word === "range") return values;
      throw new NoResult();
  }
}

function children(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

/** The values and all that is below them, as far as it holds something. */
function descend(values: readonly Json[], budget: Budget): Json[] {
  const found: Json[] = [];
  for (const value of values) {
    const below = children(value);
    if (below.length === 0 && (typeof value !== "string" || value === "")) continue;
    if (--budget.left < 0) throw new NoResult();
    found.push(value);
    for (const item of descend(below, budget)) found.push(item);
  }
  return found;
}

function slice(value: Json, step: PathStep & { type: "slice" }): Json[] {
  if (!Array.isArray(value)) throw new NoResult();
  let start = step.start ?? 0;
  let end = step.end ?? (step.single ? start + 1 : value.length);
  if (start < 0) start += value.length;
  if (end < 0 || (end === 0 && step.single)) end += value.length;
  if (start === end) return [];
  if (start < 0 || start >= value.length || end < 0 || end > value.length || start > end) throw new NoResult();
  const stride = step.step ?? 1;
  if (stride <= 0) throw new NoResult();
  return value.slice(start, end).filter((_, index) => index % stride === 0);
}

function filter(values: readonly Json[], keep: (item: Json) => boolean): Json[] {
  return values.flatMap((value) => {
    if (!Array.isArray(value)) throw new NoResult();
    return value.filter(keep);
  });
}

/** As in kubectl, a path that makes no sense for an item counts as being there. */
function exists(path: readonly PathStep[], item: Json, budget: Budget): boolean {
  try {
    return walk(path, [item], budget).length > 0;
  } catch (error) {
    if (error instanceof NoResult && budget.left >= 0) return true;
    throw error;
  }
}

function compares(step: PathStep & { type: "compare" }, item: Json, budget: Budget): boolean {
  const lefts = walk(step.left, [item], budget);
  if (lefts.length === 0) return false;
  const rights = walk(step.right, [item], budget);
  if (rights.length === 0) return false;
  if (lefts.length > 1 || rights.length > 1) throw new NoResult();
  const [left, right] = [lefts[0]!, rights[0]!];
  const equality = step.operator === "==" || step.operator === "!=";
  const comparable = typeof left === "string" || typeof left === "number" || (equality && typeof left === "boolean");
  if (!comparable || typeof left !== typeof right || right === null) throw new NoResult();
  switch (step.operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      throw new NoResult();
  }
}
