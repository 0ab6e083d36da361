import type { Clock } from "@gatewright/ports";

/** So many at once, then so many a second. */
export class Allowance {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(clock: Clock, burst: number, perSecond: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#at = clock.monotonic();
  }

  /** Takes one; false: there is none left. */
  take(): boolean {
    const now = this.#clock.monotonic();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
  /** As at the beginning. */
  refill(): void {
    this.#left = this.#burst;
  }
}
