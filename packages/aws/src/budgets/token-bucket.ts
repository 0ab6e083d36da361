import type { CancelTimer, Clock } from "@gatewright/ports";

/** How much may be taken at once, and how much comes back each second. */
export interface BucketSize {
  readonly capacity: number;
  readonly refill: number;
}

interface Waiter {
  readonly cost: number;
  /** When it would end if every flow got the same share; the least is served first. */
  readonly start: number;
  readonly finish: number;
  readonly serve: () => void;
}

/**
 * Tokens that come back with time. Who finds too few waits; those who wait are served fairly by flow, so that one flow that takes much
 * holds back no other: each gets the same share of the tokens, whatever its takings' size. Has a timer only while somebody waits.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #size: BucketSize;
  readonly #waiting = new Set<Waiter>();
  /** Where each flow's takings end in virtual time. */
  readonly #finished = new Map<string, number>();
  #virtual = 0;
  #tokens: number;
  #at: number;
  #cancel: CancelTimer | undefined;

  constructor(clock: Clock, size: BucketSize) {
    this.#clock = clock;
    this.#size = size;
    this.#tokens = size.capacity;
    this.#at = clock.monotonic();
  }

  /** Resolves when the tokens are taken. More than the capacity is taken when the bucket is full, and owed. Rejects as aborted. */
  take(cost: number, flow: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const start = Math.max(this.#virtual, this.#finished.get(flow) ?? 0);
      const abort = (): void => {
        this.#waiting.delete(waiter);
        this.#serve();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        cost,
        start,
        finish: start + cost,
        serve: () => {
          signal.removeEventListener("abort", abort);
          resolve();
        },
      };
      this.#finished.set(flow, waiter.finish);
      this.#waiting.add(waiter);
      signal.addEventListener("abort", abort, { once: true });
      this.#serve();
    });
  }

  #serve(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#refill();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const missing = Math.min(next.cost, this.#size.capacity) - this.#tokens;
      // A hair less is enough: sums of fractions do not come out even.
      if (missing > 1e-6) {
        this.#cancel = this.#clock.timer(Math.ceil((missing / this.#size.refill) * 1000), () => this.#serve());
        return;
      }
      this.#tokens -= next.cost;
      this.#virtual = Math.max(this.#virtual, next.start);
      this.#waiting.delete(next);
      next.serve();
    }
    this.#finished.clear();
    this.#virtual = 0;
  }

  #next(): Waiter | undefined {
    let first: Waiter | undefined;
    for (const waiter of this.#waiting) if (first === undefined || waiter.finish < first.finish) first = waiter;
    return first;
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const { capacity, refill } = this.#size;
    this.#tokens = Math.min(capacity, this.#tokens + ((now - this.#at) * refill) / 1000);
    this.#at = now;
  }
}
