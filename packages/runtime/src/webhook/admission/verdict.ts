import type { Immutable, StatusCause } from "@gatewright/kube";

/** What is told besides the verdict itself. */
export interface Remarks {
  /** Shown to the caller. Keep each below 120 characters: servers cut them at 256, and all of them together at 4096. */
  readonly warnings?: readonly string[];
  /** Facts for the audit log; the server puts the webhook's name before each key. */
  readonly audit?: ReadonlyMap<string, string>;
}

export interface Denial extends Remarks {
  /** Default: 403. */
  readonly code?: number;
  /** Default: `Forbidden`, or `Invalid` where the code is 422. */
  readonly reason?: string;
  /** Which fields are at fault. */
  readonly causes?: readonly StatusCause[];
}

/** What a validating handler answers. */
export type Verdict =
  | { readonly type: "allowed"; readonly remarks: Remarks }
  | { readonly type: "denied"; readonly message: string; readonly denial: Denial };

/** What a mutating handler answers: a verdict, or the object as it should be. */
export type MutatingVerdict<T> =
  | Verdict
  | { readonly type: "changed"; readonly object: Immutable<T>; readonly remarks: Remarks };

/** The request may pass as it is. */
export function allowed(remarks: Remarks = {}): Verdict {
  return { type: "allowed", remarks };
}

/** The request is refused. The caller reads the message after `admission webhook "…" denied the request: `. */
export function denied(message: string, denial: Denial = {}): Verdict {
  return { type: "denied", message, denial };
}

/** The request may pass with this object in place of its own. What differs is found by us; no difference is fine. */
export function changed<T>(object: Immutable<T>, remarks: Remarks = {}): MutatingVerdict<T> {
  return { type: "changed", object, remarks };
}
