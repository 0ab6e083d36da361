import type { CancelTimer, Clock } from "@gatewright/ports";

/** How many are let in. */
export interface GateLimits {
  readonly maxConcurrent: number;
  /** How many wait at most, and how long. */
  readonly queueSize: number;
  readonly queueTimeoutMs: number;
}

interface Waiting {
  readonly who: object;
  readonly settle: (entered: boolean) => void;
  readonly cancelTimer: CancelTimer;
}

/** Lets so many in at the same time; some more wait in order. Whoever came in leaves once, however often `leave` is called. */
export class SessionGate {
  readonly #limits: GateLimits;
  readonly #clock: Clock;
  readonly #inside = new Set<object>();
  readonly #waiting = new Map<object, Waiting>();

  constructor(limits: GateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get inside(): number {
    return this.#inside.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** True: in. False: full, or waited in vain. A promise where it has to wait. */
  enter(who: object): boolean | Promise<boolean> {
    const { maxConcurrent, queueSize, queueTimeoutMs } = this.#limits;
    if (this.#inside.size < maxConcurrent) {
      this.#inside.add(who);
      return true;
    }
    if (this.#waiting.size >= queueSize) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancelTimer = this.#clock.timer(queueTimeoutMs, () => {
      this.#waiting.delete(who);
      resolve(false);
    });
    this.#waiting.set(who, { who, settle: resolve, cancelTimer });
    return promise;
  }

  /** Gives a place back, or stops waiting for one. */
  leave(who: object): void {
    const waiting = this.#waiting.get(who);
    if (waiting !== undefined) {
      this.#waiting.delete(who);
      waiting.cancelTimer();
      waiting.settle(false);
      return;
    }
    if (!this.#inside.delete(who)) return;
    const [next] = this.#waiting.values();
    if (next === undefined) return;
    this.#waiting.delete(next.who);
    next.cancelTimer();
    this.#inside.add(next.who);
    next.settle(true);
  }
}
