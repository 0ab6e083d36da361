import type { Clock } from "@gatewright/ports";

/** Whose runs take longer than this waits for answers that do not come, or has to wait for its budget. */
const SLOW_MS = 15_000;
/** How many runs of a provider that is slow there may be at once, and of all that are. */
const MOST_OF_ONE = 4;
const MOST_OF_ALL = 12;

interface Runs {
  /** When each that goes on began. */
  readonly begun: Set<{ readonly at: number }>;
  /** Whether the last one that ended was slow. */
  slow: boolean;
}

/**
 * Which runs may go on at once, so that a provider whose AWS does not answer concerns no other: of the workers some are always left to
 * those that are quick.
 */
export class Crowd {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #runs = new Map<string, Runs>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Lets a run of a provider begin; gives what ends it. Undefined: there are too many that are slow. */
  enter(provider: string): (() => void) | undefined {
    const runs = this.#runs.get(provider) ?? { begun: new Set(), slow: false };
    if (this.#isSlow(runs) && (runs.begun.size >= MOST_OF_ONE || this.#slowRuns() >= MOST_OF_ALL)) return undefined;
    const run = { at: this.#clock.monotonic() };
    runs.begun.add(run);
    this.#runs.set(provider, runs);
    return () => {
      runs.begun.delete(run);
      runs.slow = this.#isLate(run);
      if (runs.begun.size === 0 && !runs.slow) this.#runs.delete(provider);
    };
  }

  /** Forgets providers that were slow. */
  clear(): void {
    for (const [provider, runs] of this.#runs) {
      runs.slow = false;
      if (runs.begun.size === 0) this.#runs.delete(provider);
    }
  }

  #isLate({ at }: { readonly at: number }): boolean {
    return this.#clock.monotonic() - at >= SLOW_MS;
  }

  #isSlow({ begun, slow }: Runs): boolean {
    return slow || [...begun].some((run) => this.#isLate(run));
  }

  #slowRuns(): number {
    let count = 0;
    for (const runs of this.#runs.values()) if (this.#isSlow(runs)) count += runs.begun.size;
    return count;
  }
}
