import type { CallExpr, Expr, ListExpr, MapExpr, StructExpr } from "./ast.ts";
import { listCreation, mapCreation, structCreation } from "./call-cost.ts";
import type { CheckedExpr } from "./checker.ts";
import { EntryMap } from "./entry-map.ts";
import { ArrayList } from "./list.ts";
import { planAttribute } from "./plan-attribute.ts";
import { planCall } from "./plan-call.ts";
import { planComprehension } from "./plan-comprehension.ts";
import { planAnd, planNotStrictlyFalse, planOptionalOr, planOr, planTernary } from "./plan-logic.ts";
import { constantStep } from "./step.ts";
import type { Run, Step } from "./step.ts";
import { CelError, CelOptional, CelUint } from "./value.ts";
import type { CelValue } from "./value.ts";

/** Turns nodes into steps. Nodes that macros share are planned once. */
export interface Planner {
  readonly checked: CheckedExpr;
  plan(expr: Expr): Step;
  /** Like plan, but the name at the start of a chain of fields is free, as in a branch of `?:` or an index. */
  planUncharged(expr: Expr): Step;
}

/** Makes a checked expression ready to run: a tree of closures, with constant parts computed beforehand. */
export function planProgram(checked: CheckedExpr): Run {
  const charged = new Map<Expr, Step>();
  const uncharged = new Map<Expr, Step>();
  const memo = (steps: Map<Expr, Step>, expr: Expr, make: () => Step): Step => {
    const known = steps.get(expr);
    if (known !== undefined) return known;
    const made = make();
    steps.set(expr, made);
    return made;
  };
  const planner: Planner = {
    checked,
    plan: (expr) => memo(charged, expr, () => planNode(planner, expr, true)),
    planUncharged: (expr) => memo(uncharged, expr, () => planNode(planner, expr, false)),
  };
  return planner.plan(checked.expr).run;
}

function planNode(planner: Planner, expr: Expr, charged: boolean): Step {
  switch (expr.kind) {
    case "literal":
      return constantStep(expr.unsigned === true ? new CelUint(expr.value as bigint) : expr.value);
    case "ident":
    case "select":
      return planAttribute(planner, expr, charged);
    case "call":
      return planCallNode(planner, expr, charged);
    case "list":
      return planList(planner, expr);
    case "map":
      return planMap(planner, expr);
    case "struct":
      return planStruct(planner, expr);
    case "comprehension":
      return planComprehension(planner, expr);
  }
}

function planCallNode(planner: Planner, expr: CallExpr, charged: boolean): Step {
  const { fn, args, method } = planner.checked.calls.get(expr)!;
  switch (fn) {
    case "_&&_":
      return planAnd(planner.plan(args[0]!).run, planner.plan(args[1]!).run);
    case "_||_":
      return planOr(planner.plan(args[0]!).run, planner.plan(args[1]!).run);
    case "_?_:_":
      return planTernary(
        planner.plan(args[0]!).run,
        planner.planUncharged(args[1]!).run,
        planner.planUncharged(args[2]!).run,
      );
    case "@not_strictly_false":
      return planNotStrictlyFalse(planner.plan(args[0]!).run);
    case "_[_]":
    case "_[?_]":
    case "_?._":
      return planAttribute(planner, expr, charged);
    case "or":
    case "orValue":
      if (method) return planOptionalOr(planner.plan(args[0]!).run, planner.plan(args[1]!).run, fn === "orValue");
  }
  return planCall(planner, planner.checked.calls.get(expr)!);
}

/** `?item`: the value of an optional, or undefined to leave the item out. */
function heldBy(value: CelValue): CelValue | undefined {
  if (value instanceof CelOptional) return value.value;
  throw new CelError("cannot initialize optional list element from non-optional value");
}

function planList(planner: Planner, expr: ListExpr): Step {
  const items = expr.items.map((item) => planner.plan(item));
  if (expr.optional.size === 0 && items.every((item) => item.constant !== undefined)) {
    return constantStep(new ArrayList(items.map((item) => item.constant!)));
  }
  const runs = items.map((item) => item.run);
  return {
    run: (frame) => {
      const values: CelValue[] = [];
      for (let i = 0; i < runs.length; i++) {
        const value = runs[i]!(frame);
        const kept = expr.optional.has(i) ? heldBy(value) : value;
        if (kept !== undefined) values.push(kept);
      }
      frame.budget.spend(listCreation);
      return new ArrayList(values);
    },
  };
}

function planMap(planner: Planner, expr: MapExpr): Step {
  const entries = expr.entries.map((entry) => ({
    key: planner.plan(entry.key),
    value: planner.plan(entry.value),
    optional: entry.optional,
  }));
  if (
    entries.every((entry) => !entry.optional && entry.key.constant !== undefined && entry.value.constant !== undefined)
  ) {
    const map = new EntryMap();
    for (const entry of entries) map.set(entry.key.constant!, entry.value.constant!);
    return constantStep(map);
  }
  return {
    run: (frame) => {
      const map = new EntryMap();
      for (const entry of entries) {
        const key = entry.key.run(frame);
        const value = entry.value.run(frame);
        const kept = entry.optional ? heldBy(value) : value;
        if (kept !== undefined) map.set(key, kept);
      }
      frame.budget.spend(mapCreation);
      return map;
    },
  };
}

function planStruct(planner: Planner, expr: StructExpr): Step {
  const fields = expr.fields.map((field) => ({
    name: field.name,
    value: planner.plan(field.value).run,
    optional: field.optional,
  }));
  return {
    run: (frame) => {
      const object = new EntryMap();
      for (const field of fields) {
        const value = field.value(frame);
        const kept = field.optional ? heldBy(value) : value;
        if (kept !== undefined) object.set(field.name, kept);
      }
      frame.budget.spend(structCreation);
      return object;
    },
  };
}
