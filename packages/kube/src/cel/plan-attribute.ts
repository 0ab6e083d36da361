import { hasField, indexValue, optionalMember, selectField } from "./access.ts";
import type { Expr } from "./ast.ts";
import type { Planner } from "./plan.ts";
import { constantStep } from "./step.ts";
import type { Run, Step } from "./step.ts";
import { CelError, CelOptional, CelTypeName } from "./value.ts";

/** Plans a name, a field or an index. Each step of a chain costs one, and so does its start unless not `charged`. */
export function planAttribute(planner: Planner, expr: Expr, charged: boolean): Step {
  const base = charged ? 1 : 0;
  const named = planner.checked.names.get(expr);
  if (named?.to === "type") return constantStep(new CelTypeName(named.name));
  if (named?.to === "variable") return { run: readVariable(named.name, base) };
  if (named?.to === "local") return { run: readLocal(named.slot, base) };
  if (expr.kind === "select") {
    const operand = planOperand(planner, expr.operand, charged);
    const { field } = expr;
    if (expr.test) return { run: (frame) => hasField(operand(frame), field) };
    return {
      run: (frame) => {
        const value = operand(frame);
        if (value !== CelOptional.none) frame.budget.spend(1);
        return selectField(value, field);
      },
    };
  }
  if (expr.kind !== "call") return constantStep(null);
  return planIndex(planner, expr.fn, expr.args[0]!, expr.args[1]!, charged);
}

function planIndex(planner: Planner, fn: string, target: Expr, index: Expr, charged: boolean): Step {
  const operand = planOperand(planner, target, charged);
  const key = planner.planUncharged(index);
  if (fn !== "_[_]") return planOptionalIndex(operand, key.run);
  if (key.constant !== undefined) {
    const constant = key.constant;
    return {
      run: (frame) => {
        const value = operand(frame);
        frame.budget.spend(1);
        return indexValue(value, constant);
      },
    };
  }
  const runKey = key.run;
  return {
    run: (frame) => {
      const value = operand(frame);
      const at = runKey(frame);
      frame.budget.spend(1);
      return indexValue(value, at);
    },
  };
}

/** `a.?b` and `a[?b]`: what is not there costs nothing. */
function planOptionalIndex(operand: Run, key: Run): Step {
  return {
    run: (frame) => {
      const member = optionalMember(operand(frame), key(frame));
      if (member.value !== undefined) frame.budget.spend(1);
      return member;
    },
  };
}

/** What a chain goes on from. A chain that starts with a computed value pays for its start here. */
function planOperand(planner: Planner, operand: Expr, charged: boolean): Run {
  const isChain =
    operand.kind === "ident" ||
    operand.kind === "select" ||
    (operand.kind === "call" && ["_[_]", "_[?_]", "_?._", "_?_:_"].includes(operand.fn));
  if (isChain) return (charged ? planner.plan(operand) : planner.planUncharged(operand)).run;
  const { run } = planner.plan(operand);
  return charged ? chargeFor(1, run) : run;
}

function chargeFor(cost: number, run: Run): Run {
  if (cost === 0) return run;
  return (frame) => {
    const value = run(frame);
    frame.budget.spend(cost);
    return value;
  };
}

function readVariable(name: string, cost: number): Run {
  return (frame) => {
    frame.budget.spend(cost);
    const value = frame.variables(name);
    if (value === undefined) throw new CelError(`no such attribute(s): ${name}`);
    return value;
  };
}

function readLocal(slot: number, cost: number): Run {
  return (frame) => {
    frame.budget.spend(cost);
    const value = frame.locals[slot]!;
    if (value instanceof CelError) throw value;
    return value;
  };
}
