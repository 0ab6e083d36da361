import type { Call } from "../network/call.ts";
import type { SystemCall } from "../systems/simulated-system.ts";
import { CALL_FAULTS, SYSTEM_FAULTS } from "./fault-kind.ts";
import type {
  CallFaultKind,
  FrameFaultKind,
  SystemFaultKind,
  SystemTimedFaultKind,
  TimedFaultKind,
} from "./fault-kind.ts";

/** A fault that begins at some time and, where that means something, lasts. */
export interface TimedFault {
  readonly kind: TimedFaultKind | SystemTimedFaultKind;
  readonly at: number;
  readonly lastsMs: number;
  /** The process it happens to, by its place in the scenario. */
  readonly process: number;
}

/** Says what goes wrong, and when. Asked in a fixed order, so that a plan may draw from dice. */
export interface FaultPlan {
  /** For people: what is switched on. */
  readonly about: string;
  /**
   * The fate of a call. `effect` counts writes that are not of a lease, from 1, over the whole world and all its systems; 0 for other
   * calls.
   */
  call(call: Call, effect: number): CallFaultKind | undefined;
  /** The fate of a call to another system. */
  system(call: SystemCall, effect: number): SystemFaultKind | undefined;
  frame(call: Call): FrameFaultKind | undefined;
  readonly timed: readonly TimedFault[];
}

/** Nothing goes wrong. */
export const noFaults: FaultPlan = {
  about: "none",
  call: () => undefined,
  system: () => undefined,
  frame: () => undefined,
  timed: [],
};

/** One planned fault: what happens at the n-th effect. */
export interface PlannedFault {
  readonly kind: CallFaultKind;
  readonly effect: number;
}

/** Exactly these faults. */
export function listedFaults(faults: readonly PlannedFault[]): FaultPlan {
  const left = new Map(faults.map((fault) => [fault.effect, fault.kind]));
  const take = (effect: number): CallFaultKind | undefined => {
    const kind = left.get(effect);
    left.delete(effect);
    return kind;
  };
  return {
    about: formatPlan(faults),
    call: (_, effect) => take(effect),
    system(_, effect) {
      const kind = take(effect);
      return kind !== undefined && isSystemFault(kind) ? kind : undefined;
    },
    frame: () => undefined,
    timed: [],
  };
}

/** `crash-after@3,lost-reply@5`: how a plan is written on a command line. */
export function formatPlan(faults: readonly PlannedFault[]): string {
  return faults.map(({ kind, effect }) => `${kind}@${effect}`).join(",");
}

/** Reads what {@link formatPlan} writes. Throws a TypeError for anything else. */
export function parsePlan(text: string): readonly PlannedFault[] {
  return text.split(",").map((part) => {
    const [kind = "", effect = ""] = part.split("@");
    if (!isCallFault(kind) || !/^[1-9][0-9]*$/.test(effect)) throw new TypeError(`${part} is not a planned fault`);
    return { kind, effect: Number(effect) };
  });
}

function isCallFault(kind: string): kind is CallFaultKind {
  return Object.hasOwn(CALL_FAULTS, kind);
}

function isSystemFault(kind: string): kind is SystemFaultKind {
  return Object.hasOwn(SYSTEM_FAULTS, kind);
}
