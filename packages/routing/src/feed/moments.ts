import type { CancelTimer, Clock } from "@gatewright/ports";
import type { SourceKey } from "../model/deliverable.ts";

/** Long enough for a watch that is a little behind another one. */
const MOMENT_MS = 500;

/**
 * Moments for which something is left as it is. Each kind is watched by itself: that a backend goes may be seen before the write,
 * which came first, by which its routes lead elsewhere, and that a route leads to a new backend before that backend.
 */
export class Moments {
  readonly #clock: Clock;
  readonly #over: (key: SourceKey) => void;
  readonly #begun = new Map<SourceKey, CancelTimer | "over">();

  /** `over` is told when a moment has passed that was not forgotten meanwhile. */
  constructor(clock: Clock, over: (key: SourceKey) => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** Whether it still lasts. The first question begins it. */
  lasts(key: SourceKey): boolean {
    const begun = this.#begun.get(key);
    if (begun !== undefined) return begun !== "over";
    const cancel = this.#clock.timer(MOMENT_MS, () => {
      this.#begun.set(key, "over");
      this.#over(key);
    });
    this.#begun.set(key, cancel);
    return true;
  }

  forget(key: SourceKey): void {
    const begun = this.#begun.get(key);
    if (typeof begun === "function") begun();
    this.#begun.delete(key);
  }

  clear(): void {
    for (const key of this.#begun.keys()) this.forget(key);
  }
}
