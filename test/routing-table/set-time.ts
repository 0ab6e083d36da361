import { systemClock } from "@gatewright/ports";
import type { CancelTimer, Clock } from "@gatewright/ports";

/** The machine's clock, but for the time of day, which is what it is set to: whoever stores objects by it decides how old they are. */
export class SetTime implements Clock {
  #now = 0;

  set(now: number): void {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  timer(ms: number, fire: () => void): CancelTimer {
    return systemClock.timer(ms, fire);
  }
}
