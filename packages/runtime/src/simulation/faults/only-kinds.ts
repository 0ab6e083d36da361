import type { FaultKind } from "./fault-kind.ts";
import type { FaultPlan } from "./fault-plan.ts";

/** The same plan, of which only some kinds of faults happen. It draws as before, so what is left happens as it did for as long as it can. */
export function onlyKinds(plan: FaultPlan, kinds: ReadonlySet<FaultKind>): FaultPlan {
  const allowed = <K extends FaultKind>(kind: K | undefined): K | undefined =>
    kind !== undefined && kinds.has(kind) ? kind : undefined;
  return {
    about: [...kinds].join(" ") || "none",
    call: (call, effect) => allowed(plan.call(call, effect)),
    system: (call, effect) => allowed(plan.system(call, effect)),
    frame: (call) => allowed(plan.frame(call)),
    timed: plan.timed.filter(({ kind }) => kinds.has(kind)),
  };
}
