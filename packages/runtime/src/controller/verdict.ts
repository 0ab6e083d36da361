import { isAlreadyExists, isConflict, retryAfterMs } from "../client/error-kinds.ts";
import { NotLeadingError } from "../lease/write-gate.ts";
import { AccessNotDeclaredError } from "./access.ts";
import type { Outcome } from "./outcome.ts";

/** How a run ended: what it returned or threw, and whether it was ended from outside. */
export interface Ended {
  readonly outcome: Outcome | undefined;
  readonly thrown: boolean;
  /** It was aborted because it took too long. */
  readonly timeout: Error | undefined;
  /** It was aborted because the process stops or does not lead any more. */
  readonly stopped: boolean;
}

/** What becomes of the key. `forget` and `again` clear its failures, `backoff` adds one, `postpone` leaves them. */
type Next =
  | { readonly kind: "forget" }
  | { readonly kind: "again"; readonly afterMs: number }
  | { readonly kind: "backoff"; readonly atLeastMs: number }
  | { readonly kind: "postpone"; readonly afterMs: number }
  | { readonly kind: "drop" };

/** What follows from how a run ended. */
export interface Verdict {
  /** As controller-runtime's metric has it. `undefined`: it does not count, since it was not the object's fault. */
  readonly result: "success" | "error" | "requeue" | "requeue_after" | undefined;
  readonly next: Next;
  readonly error: unknown;
  readonly told: { readonly level: "debug" | "warn" | "error"; readonly message: string } | undefined;
  readonly mark: "panic" | "terminal" | "timeout" | undefined;
}

/** How soon a run is tried again that found the lease doubtful though its end was not told. */
const DOUBTFUL_LEASE_MS = 1000;

const silent = { error: undefined, told: undefined, mark: undefined } as const;
const failed = { level: "warn", message: "Reconcile failed and will be tried again" } as const;

/** Judges how a run ended. Pure. */
export function verdictOf(ended: Ended): Verdict {
  const outcome = ended.thrown ? ended.outcome : wellFormed(ended.outcome);
  const error = outcome !== undefined && "error" in outcome ? outcome.error : undefined;
  if (ended.timeout !== undefined) {
    const told = { level: "warn", message: "Reconcile took too long and was aborted" } as const;
    return { result: "error", next: backoff(error), error: ended.timeout, told, mark: "timeout" };
  }
  if (outcome?.kind === "done") return { ...silent, result: "success", next: { kind: "forget" } };
  if (outcome?.kind === "after") {
    return { ...silent, result: "requeue_after", next: { kind: "again", afterMs: outcome.ms > 0 ? outcome.ms : 1 } };
  }
  if (ended.stopped) return { ...silent, result: undefined, next: { kind: "drop" }, error };
  if (outcome?.kind === "terminal" || error instanceof AccessNotDeclaredError) {
    const told = { level: "error", message: "Reconcile failed for good: only a change can help" } as const;
    return { result: "error", next: { kind: "forget" }, error, told, mark: "terminal" };
  }
  if (notLeading(error)) {
    return { ...silent, result: undefined, next: { kind: "postpone", afterMs: DOUBTFUL_LEASE_MS }, error };
  }
  if (isConflict(error) || isAlreadyExists(error)) {
    const told = { level: "debug", message: "Somebody else wrote first: reconciling again" } as const;
    return { result: "requeue", next: backoff(error), error, told, mark: undefined };
  }
  if ((ended.thrown || outcome !== ended.outcome) && isMistake(error)) {
    const told = { level: "error", message: "Reconcile threw what looks like a mistake in it" } as const;
    return { result: "error", next: backoff(error), error, told, mark: "panic" };
  }
  return { result: "error", next: backoff(error), error, told: failed, mark: undefined };
}

function backoff(error: unknown): Next {
  return { kind: "backoff", atLeastMs: retryAfterMs(error) ?? 0 };
}

/** What was returned, if it is an outcome at all: callers without types return undefined by forgetting to return. */
function wellFormed(returned: Outcome | undefined): Outcome {
  switch (returned?.kind) {
    case "done":
    case "after":
    case "retry":
    case "terminal":
      return returned;
    default:
      return { kind: "retry", error: new TypeError("reconcile returned no outcome: end it with done()") };
  }
}

/** Whether the lease is behind an error, be it wrapped. */
function notLeading(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof NotLeadingError) return true;
  }
  return false;
}

/** What well-behaved code does not throw: values that are no errors, and the errors of wrong code. */
function isMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}
