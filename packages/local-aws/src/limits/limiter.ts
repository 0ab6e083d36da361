import type { Clock } from "@gatewright/ports";
import type { Call } from "../call.ts";
import { bucketsOf } from "./buckets-of.ts";
import { callCost } from "./call-cost.ts";
import type { LimitTable } from "./service-limits.ts";
import { tokensNeeded, tokensNow } from "./token-bucket.ts";
import type { BucketLevel, BucketSize } from "./token-bucket.ts";

interface Bucket {
  readonly size: BucketSize;
  readonly level: BucketLevel;
}

const TIDY_FROM = 10_000;

/** The rates of one AWS. A call is let through when each of its buckets has enough, and only then takes from them. */
export class Limiter {
  readonly #clock: Clock;
  readonly #table: LimitTable;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, table: LimitTable) {
    this.#clock = clock;
    this.#table = table;
  }

  /** Whether the call may be made now. Costs nothing when not. */
  admit({ service, operation, account, region, input }: Call): boolean {
    const limits = this.#table[service];
    if (!limits) return true;
    const now = this.#clock.monotonic();
    const owner = `${account}/${limits.regional ? region : ""}/${service}`;
    const wanted = bucketsOf(limits, operation, input).map((size) => {
      const key = `${owner}/${size.name}${size.apart === true ? `/${operation}` : ""}`;
      const tokens = tokensNow(size, this.#buckets.get(key)?.level, now);
      return { key, size, left: tokens - tokensNeeded(size, callCost(size, input)) };
    });
    if (wanted.some(({ left }) => left < 0)) return false;
    for (const { key, size, left } of wanted) this.#buckets.set(key, { size, level: { tokens: left, at: now } });
    if (this.#buckets.size > TIDY_FROM) this.#tidy(now);
    return true;
  }

  /** Forgets buckets that are full again: they are as if they had never been used. */
  #tidy(now: number): void {
    for (const [key, { size, level }] of this.#buckets) {
      if (tokensNow(size, level, now) >= size.capacity) this.#buckets.delete(key);
    }
  }
}
