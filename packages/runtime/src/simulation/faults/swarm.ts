import type { Dice } from "../dice.ts";
import { CALL_FAULT_KINDS, FRAME_FAULT_KINDS, TIMED_FAULT_KINDS, applies } from "./fault-kind.ts";
import type { CallFaultKind, FaultKind, FrameFaultKind, TimedFaultKind } from "./fault-kind.ts";
import type { FaultPlan, TimedFault } from "./fault-plan.ts";

/** How often a fault may happen. Crashes are rarer: each one costs the world seconds. */
const RATES = [0.005, 0.03, 0.12] as const;
const CRASH_RATES = [0.002, 0.01, 0.04] as const;
/** How many times a fault of a kind happens to processes in one run, at most. */
const TIMES = [1, 2, 5] as const;

/**
 * Faults that a seed picks: first the set of kinds that happen at all, then how often. Few kinds at a time reach states that all
 * of them together never let a program get to.
 */
export function swarm(dice: Dice, world: { readonly durationMs: number; readonly processes: number }): FaultPlan {
  const share = dice.pick([0.1, 0.25, 0.5]);
  const chosen = <K extends FaultKind>(kinds: readonly K[]): K[] => kinds.filter(() => dice.chance(share));
  const calls = new Map<CallFaultKind, number>();
  for (const kind of chosen(CALL_FAULT_KINDS)) {
    calls.set(kind, dice.pick(kind.startsWith("crash") ? CRASH_RATES : RATES));
  }
  const frames = new Map<FrameFaultKind, number>();
  for (const kind of chosen(FRAME_FAULT_KINDS)) frames.set(kind, dice.pick(RATES));
  const timed = chosen(TIMED_FAULT_KINDS).flatMap((kind) => times(dice, kind, world));
  /** Some seeds spare the work and aim at the lease alone, or the other way round. */
  const aim = dice.pick(["all", "all", "lease", "work"]);
  return {
    about: [...calls.keys(), ...frames.keys(), ...new Set(timed.map(({ kind }) => kind))].join(" ") || "none",
    call(call) {
      if (aim !== "all" && call.lease !== (aim === "lease")) return undefined;
      for (const [kind, rate] of calls) if (dice.chance(rate) && applies(kind, call)) return kind;
      return undefined;
    },
    frame() {
      for (const [kind, rate] of frames) if (dice.chance(rate)) return kind;
      return undefined;
    },
    timed,
  };
}

function times(
  dice: Dice,
  kind: TimedFaultKind,
  { durationMs, processes }: { readonly durationMs: number; readonly processes: number },
): TimedFault[] {
  return Array.from({ length: dice.integer(1, dice.pick(TIMES)) }, () => ({
    kind,
    at: dice.between(0, durationMs),
    lastsMs: dice.pick([dice.between(10, 1_000), dice.between(1_000, 12_000), dice.between(12_000, 60_000)]),
    process: dice.integer(0, processes - 1),
  }));
}
