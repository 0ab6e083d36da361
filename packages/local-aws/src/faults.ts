import type { Call } from "./call.ts";

/** What goes wrong with a call. */
export type Fault =
  /** The connection ends and nothing was done. */
  | { readonly kind: "drop" }
  /** The call is made and its answer never arrives. */
  | { readonly kind: "lose reply" }
  /** Answered with this error instead of being made. */
  | { readonly kind: "error"; readonly code: string; readonly status?: number; readonly message?: string }
  | { readonly kind: "throttle" }
  | { readonly kind: "deny" }
  /**
   * A read is answered as the same question of the same account was answered before; as ever when it was not, and so is everything
   * that is no read.
   */
  | { readonly kind: "stale" }
  /** Waits, then goes on as if nothing had been, or with another fault. */
  | { readonly kind: "delay"; readonly ms: number; readonly next?: Fault };

/** Where trouble comes from. Asked about each call before it is made, and once more when it has succeeded. */
export interface Faults {
  before?(call: Call): Fault | undefined;
  /** What was done stays done: an error here is one that lies. */
  after?(call: Call): Fault | undefined;
}

/** A fault for the calls that `when` picks: for the first `times` of them, or for all. */
export interface PlannedFault {
  readonly when: (call: Call) => boolean;
  readonly fault: Fault;
  readonly times?: number;
  /** Strikes when the call has succeeded, not before it is made. */
  readonly after?: boolean;
}

/** Faults by plan: of those whose `when` says yes and which have times left, the first. */
export function planFaults(plan: readonly PlannedFault[]): Faults {
  const used = new Map<PlannedFault, number>();
  const next = (call: Call, after: boolean): Fault | undefined => {
    const planned = plan.find(
      (each) => (each.after ?? false) === after && (used.get(each) ?? 0) < (each.times ?? Infinity) && each.when(call),
    );
    if (planned) used.set(planned, (used.get(planned) ?? 0) + 1);
    return planned?.fault;
  };
  return { before: (call) => next(call, false), after: (call) => next(call, true) };
}

/** A connection that ended without an answer, as a client in this process meets it. */
export class ConnectionLost extends Error {
  constructor() {
    super("the connection ended without an answer");
    this.name = "ConnectionLost";
  }
}
