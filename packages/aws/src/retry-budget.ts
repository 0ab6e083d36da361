import type { Clock, Random } from "@gatewright/ports";

/** How patient a client is. */
export interface Patience {
  /** Tries of one call, the first among them. Default: 5. */
  readonly attempts?: number;
  /** How long one try may take. Default: 30 s. */
  readonly attemptMs?: number;
  /** How long tries and pauses of one call may take together; the last try is not cut short. Default: 60 s. */
  readonly totalMs?: number;
}

const BASE_MS = { retry: 100, throttled: 500 } as const;
const LONGEST_MS = 20_000;
const TOKENS = 500;
const COST = 5;

/**
 * Says how long to wait before a call is tried again, or that it is not. Besides the patience with one call there is one with all: a
 * service that is down is not met with five times the calls. Every retry takes from a stock that successes fill again.
 */
export class RetryBudget {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #attempts: number;
  readonly #totalMs: number;
  #tokens = TOKENS;

  constructor(clock: Clock, random: Random, { attempts = 5, totalMs = 60_000 }: Patience) {
    this.#clock = clock;
    this.#random = random;
    this.#attempts = attempts;
    this.#totalMs = totalMs;
  }

  succeeded(): void {
    this.#tokens = Math.min(TOKENS, this.#tokens + 1);
  }

  /** Milliseconds until the next try: anything up to a bound that doubles. Undefined: give up. */
  pause(kind: keyof typeof BASE_MS, attempt: number, begun: number): number | undefined {
    const bound = Math.min(LONGEST_MS, BASE_MS[kind] * 2 ** (attempt - 1));
    const ms = Math.ceil(bound * this.#fraction());
    const late = this.#clock.monotonic() + ms - begun > this.#totalMs;
    if (attempt >= this.#attempts || late || this.#tokens < COST) return undefined;
    this.#tokens -= COST;
    return ms;
  }

  #fraction(): number {
    const [high = 0, low = 0] = this.#random.bytes(2);
    return (high * 256 + low + 1) / 65_536;
  }
}
