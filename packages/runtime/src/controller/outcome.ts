/** How a reconcile ended. A thrown error is the same as `retry`. */
export type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "after"; readonly ms: number }
  | { readonly kind: "retry"; readonly error: unknown }
  | { readonly kind: "terminal"; readonly error: unknown };

const DONE: Outcome = Object.freeze({ kind: "done" });

/** Nothing left to do until something changes. */
export function done(): Outcome {
  return DONE;
}

/** Look again after this time at the latest; a change comes first. */
export function after(ms: number): Outcome {
  return { kind: "after", ms };
}

/** It failed; try again with backoff. */
export function retry(error: unknown): Outcome {
  return { kind: "retry", error };
}

/** It failed, and trying again cannot help until the object changes. */
export function terminal(error: unknown): Outcome {
  return { kind: "terminal", error };
}
