import type { CancelTimer, Clock } from "@gatewright/ports";

/** One request that fetches what others wait for. */
export class Flight {
  readonly startedAt: number;
  readonly #waiting = new Set<() => void>();
  #over = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Waits until the flight is over, or `ms` have passed. The returned function ends the waiting without calling `done`. */
  wait(clock: Clock, ms: number, done: () => void): () => void {
    if (this.#over) {
      done();
      return () => {};
    }
    let cancelTimer: CancelTimer = () => {};
    const wake = (): void => {
      this.#waiting.delete(wake);
      cancelTimer();
      done();
    };
    cancelTimer = clock.timer(ms, wake);
    this.#waiting.add(wake);
    return () => {
      this.#waiting.delete(wake);
      cancelTimer();
    };
  }

  /** Everyone who waits looks again. Once. */
  land(): void {
    if (this.#over) return;
    this.#over = true;
    for (const wake of this.#waiting) wake();
  }
}

/** The flights under way, by key. A flight that nobody ended within `maxMs` no longer counts. */
export class Flights {
  readonly #under = new Map<string, Flight>();
  readonly #clock: Clock;
  readonly #maxMs: number;

  constructor(clock: Clock, maxMs: number) {
    this.#clock = clock;
    this.#maxMs = maxMs;
  }

  /** The flight for a key, if there is one to wait for. */
  current(key: string): Flight | undefined {
    const flight = this.#under.get(key);
    if (flight === undefined) return undefined;
    if (!flight.over && this.#clock.monotonic() - flight.startedAt < this.#maxMs) return flight;
    this.#under.delete(key);
    flight.land();
    return undefined;
  }

  /** Begins a flight; `end` has to be called, whatever becomes of it. */
  begin(key: string): { end(): void } {
    const flight = new Flight(this.#clock.monotonic());
    this.#under.set(key, flight);
    return {
      end: () => {
        if (this.#under.get(key) === flight) this.#under.delete(key);
        flight.land();
      },
    };
  }
}
