import type { Clock } from "./clock.ts";

/** Says that an operation took longer than it may. */
export class DeadlineError extends Error {
  constructor(ms: number) {
    super(`not done within ${ms} ms`);
    this.name = "DeadlineError";
  }
}

/** A signal with an end: dispose of it when the work is done, or its timer and listener stay. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** A signal that aborts with {@link DeadlineError} after `ms`, or with the parent's reason as soon as the parent does. */
export function deadline(clock: Clock, ms: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent?.reason);
  const cancel = clock.timer(ms, () => controller.abort(new DeadlineError(ms)));
  if (parent?.aborted === true) follow();
  else parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      cancel();
      parent?.removeEventListener("abort", follow);
    },
  };
}
