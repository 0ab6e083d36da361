import { callCost } from "./call-cost.ts";
import type { CallCost } from "./call-cost.ts";
import type { ResolvedCall } from "./checker.ts";
import { dispatch } from "./dispatch.ts";
import { equals } from "./equality.ts";
import type { Planner } from "./plan.ts";
import { requireRegex } from "./regex.ts";
import { constantStep } from "./step.ts";
import type { Run, Step } from "./step.ts";
import { CelUint, isList } from "./value.ts";
import type { CelList, CelValue } from "./value.ts";

const conversions = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

/**
 * Plans an ordinary call: arguments first, then its cost, then the function. Throws CelError when a conversion of a
 * constant or a constant pattern is bound to fail.
 */
export function planCall(planner: Planner, call: ResolvedCall): Step {
  const args = call.args.map((arg) => planner.plan(arg));
  const overload = call.overloads.length === 1 ? call.overloads[0]!.id : "";
  const invoke = dispatch(planner.checked, call);
  if (conversions.has(call.fn) && args.length === 1 && args[0]!.constant !== undefined) {
    return constantStep(invoke(args[0]!.constant));
  }
  if (overload === "in_list") {
    const member = planConstantMembership(args[0]!.run, args[1]!.constant);
    if (member !== undefined) return member;
  }
  if ((call.fn === "find" || call.fn === "findAll") && typeof args[1]?.constant === "string")
    requireRegex(args[1].constant);
  return {
    run: runCall(
      args.map((arg) => arg.run),
      callCost(call.fn, overload),
      invoke,
    ),
  };
}

/** Calls of one and two arguments, which are nearly all, get by without collecting their arguments. */
function runCall(args: readonly Run[], cost: CallCost, invoke: (...values: CelValue[]) => CelValue): Run {
  const [first, second] = args;
  if (cost.kind === "result" || first === undefined || args.length > 2) return runAnyCall(args, cost, invoke);
  if (second === undefined) {
    return (frame) => {
      const value = first(frame);
      const { budget } = frame;
      budget.spend(cost.kind === "fixed" ? cost.cost : cost.cost([value], budget.limit - budget.spent));
      return invoke(value);
    };
  }
  return (frame) => {
    const a = first(frame);
    const b = second(frame);
    const { budget } = frame;
    budget.spend(cost.kind === "fixed" ? cost.cost : cost.cost([a, b], budget.limit - budget.spent));
    return invoke(a, b);
  };
}

function runAnyCall(args: readonly Run[], cost: CallCost, invoke: (...values: CelValue[]) => CelValue): Run {
  return (frame) => {
    const values: CelValue[] = [];
    for (const arg of args) values.push(arg(frame));
    const { budget } = frame;
    if (cost.kind !== "result")
      budget.spend(cost.kind === "fixed" ? cost.cost : cost.cost(values, budget.limit - budget.spent));
    const result = invoke(...values);
    if (cost.kind === "result") budget.spend(cost.cost(result));
    return result;
  };
}

/** `x in [constants]`: costs nothing beyond x, and for plain values does not walk the list. */
function planConstantMembership(item: Run, list: CelValue | undefined): Step | undefined {
  if (list === undefined || !isList(list)) return undefined;
  if (list.size === 0) return constantStep(false);
  for (const value of list) if (typeof value === "object" && !(value instanceof CelUint)) return undefined;
  const strings = stringSet(list);
  return {
    run: (frame) => {
      const value = item(frame);
      if (strings !== undefined) return typeof value === "string" && strings.has(value);
      for (const candidate of list) if (equals(candidate, value)) return true;
      return false;
    },
  };
}

function stringSet(list: CelList): ReadonlySet<string> | undefined {
  const strings = new Set<string>();
  for (const value of list) {
    if (typeof value !== "string") return undefined;
    strings.add(value);
  }
  return strings;
}
