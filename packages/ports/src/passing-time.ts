import type { ManualClock } from "./manual-clock.ts";

export interface PassingTimeOptions {
  /** How far the clock goes in a turn. Default: 50 ms. */
  readonly turnMs?: number;
  /** After how many turns a test gives up. Default: 2,000. */
  readonly turns?: number;
  /** How often others get their say in a turn. Default: 5. */
  readonly breaths?: number;
}

/** Lets time pass on a manual clock while a test waits: in turns, in which everybody who has something to do does it. */
export class PassingTime {
  readonly #clock: ManualClock;
  readonly #turnMs: number;
  readonly #turns: number;
  readonly #breaths: number;

  constructor(clock: ManualClock, { turnMs = 50, turns = 2_000, breaths = 5 }: PassingTimeOptions = {}) {
    this.#clock = clock;
    this.#turnMs = turnMs;
    this.#turns = turns;
    this.#breaths = breaths;
  }

  async turn(ms = this.#turnMs): Promise<void> {
    for (let i = 0; i < this.#breaths; i++) await new Promise((resolve) => setImmediate(resolve));
    this.#clock.advance(ms);
  }

  /** Turns until that much time has passed. */
  async pass(ms: number): Promise<void> {
    for (const end = this.#clock.monotonic() + ms; this.#clock.monotonic() < end;) await this.turn();
  }

  /** Looks, turn after turn, until what is seen holds. Rejects with what was last seen. */
  async until<T>(what: string, look: () => T | Promise<T>, holds: (seen: T) => boolean = Boolean): Promise<T> {
    return untilHolds(what, look, holds, { turn: () => this.turn(), turns: this.#turns });
  }
}

/** {@link PassingTime.until} for worlds in which more than the clock moves in a turn. */
export async function untilHolds<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  { turn, turns }: { readonly turn: () => Promise<void>; readonly turns: number },
): Promise<T> {
  for (let taken = 0; ; taken++) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (taken > turns) throw new Error(`${what} did not happen; last seen: ${JSON.stringify(seen, undefined, 1)}`);
    await turn();
  }
}
