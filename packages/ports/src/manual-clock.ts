import type { CancelTimer, Clock } from "./clock.ts";

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/**
 * A clock that stands still until a test moves it, so that minutes pass at once and nothing happens by chance. `now` and
 * `monotonic` move together; `now` begins at `start`, by default with the year 2030.
 */
export class ManualClock implements Clock {
  readonly #start: number;
  readonly #timers = new Set<Timer>();
  #passed = 0;

  constructor(start: number = Date.UTC(2030, 0, 1)) {
    this.#start = start;
  }

  now(): number {
    return this.#start + this.#passed;
  }

  monotonic(): number {
    return this.#passed;
  }

  timer(ms: number, fire: () => void): CancelTimer {
    const timer: Timer = { at: this.#passed + ms, fire };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /**
   * Lets time pass. Every timer that falls due fires at its own moment, in order, those that a firing timer sets included.
   * What they begin asynchronously has not happened when this returns.
   */
  advance(ms: number): void {
    const end = this.#passed + ms;
    for (let due = this.#earliest(); due !== undefined && due.at <= end; due = this.#earliest()) {
      this.#timers.delete(due);
      this.#passed = Math.max(this.#passed, due.at);
      due.fire();
    }
    this.#passed = end;
  }

  /** How many timers have neither fired nor been cancelled: 0 when what was tested has cleaned up. */
  get pending(): number {
    return this.#timers.size;
  }

  #earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) if (earliest === undefined || timer.at < earliest.at) earliest = timer;
    return earliest;
  }
}
