import type { Dice } from "../dice.ts";
import {
  CALL_FAULT_KINDS,
  FRAME_FAULT_KINDS,
  SYSTEM_FAULT_KINDS,
  SYSTEM_TIMED_FAULT_KINDS,
  TIMED_FAULT_KINDS,
  applies,
} from "./fault-kind.ts";
import type { CallFaultKind, FaultKind, FrameFaultKind, SystemFaultKind } from "./fault-kind.ts";
import type { FaultPlan, TimedFault } from "./fault-plan.ts";
import type { SystemCall } from "../systems/simulated-system.ts";

/** How often a fault may happen. Crashes are rarer: each one costs the world seconds. */
const RATES = [0.005, 0.03, 0.12] as const;
const CRASH_RATES = [0.002, 0.01, 0.04] as const;
const DRAWN_TOGETHER = SYSTEM_TIMED_FAULT_KINDS.filter((kind) => kind !== "system-blind");
/** How many times a fault of a kind happens to processes in one run, at most. */
const TIMES = [1, 2, 5] as const;

/** What a plan has to know of its world. */
export interface FaultGround {
  readonly durationMs: number;
  readonly processes: number;
  /** Whether there are systems beside the server. */
  readonly systems: boolean;
}

/**
 * Faults that a seed picks: first the set of kinds that happen at all, then how often. Few kinds at a time reach states that all
 * of them together never let a program get to.
 */
export function swarm(dice: Dice, world: FaultGround): FaultPlan {
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
  const beside = world.systems ? swarmOfSystems(dice.fork("systems"), world) : undefined;
  const atTimes = [...timed, ...(beside?.timed ?? [])];
  const kinds = [...calls.keys(), ...frames.keys(), ...new Set(atTimes.map(({ kind }) => kind))];
  return {
    about: [...kinds, ...(beside === undefined ? [] : ["| systems:", ...beside.kinds])].join(" ") || "none",
    call(call) {
      if (aim !== "all" && call.lease !== (aim === "lease")) return undefined;
      for (const [kind, rate] of calls) if (dice.chance(rate) && applies(kind, call)) return kind;
      return undefined;
    },
    system: (call) => (aim === "lease" ? undefined : beside?.fate(call)),
    frame() {
      for (const [kind, rate] of frames) if (dice.chance(rate)) return kind;
      return undefined;
    },
    timed: atTimes,
  };
}

/** Drawn from dice of their own: worlds without systems go on as they always did. */
function swarmOfSystems(dice: Dice, world: FaultGround) {
  const share = dice.pick([0.1, 0.25, 0.5]);
  const rates = new Map<SystemFaultKind, number>();
  for (const kind of SYSTEM_FAULT_KINDS) {
    if (dice.chance(share)) rates.set(kind, dice.pick(kind.startsWith("crash") ? CRASH_RATES : RATES));
  }
  return {
    kinds: [...rates.keys()],
    timed: [
      ...DRAWN_TOGETHER.filter(() => dice.chance(share)).flatMap((kind) => times(dice, kind, world)),
      ...blindness(dice.fork("blind"), world),
    ],
    fate({ writes }: SystemCall): SystemFaultKind | undefined {
      for (const [kind, rate] of rates) {
        if (dice.chance(rate) && !(writes && kind === "system-stale")) return kind;
      }
      return undefined;
    },
  };
}

/** Long enough for whoever takes a refusal for an answer to act by it. From dice of its own: seeds from before it go on as they did. */
function blindness(dice: Dice, world: FaultGround): readonly TimedFault[] {
  if (!dice.chance(0.2)) return [];
  return times(dice, "system-blind", world).map((fault) => ({ ...fault, lastsMs: dice.between(20_000, 200_000) }));
}

function times(dice: Dice, kind: TimedFault["kind"], { durationMs, processes }: FaultGround): TimedFault[] {
  return Array.from({ length: dice.integer(1, dice.pick(TIMES)) }, () => ({
    kind,
    at: dice.between(0, durationMs),
    lastsMs: dice.pick([dice.between(10, 1_000), dice.between(1_000, 12_000), dice.between(12_000, 60_000)]),
    process: dice.integer(0, processes - 1),
  }));
}
