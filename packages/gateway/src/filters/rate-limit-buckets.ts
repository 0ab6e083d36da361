/** So many requests at once, and so many a second in the long run. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Whether a request may go: how many more could go at once after it, or how long until one may. */
export type Verdict =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryAfterMs: number };

/**
 * Limits by key with one number a key: the time at which a key's requests so far would be used up if they came evenly (GCRA). That
 * allows exactly what a bucket of `burst` tokens does that fills with `perSecond`. A key that asks while it may not pays nothing.
 *
 * Keys are bounded: at most `maxKeys`, in two halves; when the newer half is full the older is dropped, and with it only keys that
 * nobody asked for since. A key that is dropped early begins with a full burst again.
 */
export class RateLimitBuckets {
  readonly #gapMs: number;
  readonly #allowanceMs: number;
  readonly #burst: number;
  readonly #half: number;
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  constructor({ perSecond, burst }: Rate, maxKeys: number) {
    this.#gapMs = 1000 / perSecond;
    this.#burst = burst;
    this.#allowanceMs = burst * this.#gapMs;
    this.#half = Math.max(1, Math.floor(maxKeys / 2));
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  ask(key: string, now: number): Verdict {
    const usedUp = this.#newer.get(key) ?? this.#older.get(key) ?? 0;
    const next = Math.max(now, usedUp) + this.#gapMs;
    const early = next - this.#allowanceMs - now;
    // A millionth of a millisecond, for what adding up fractions loses.
    if (early > 1e-6) return { allowed: false, retryAfterMs: early };
    this.#remember(key, next);
    return {
      allowed: true,
      remaining: Math.min(this.#burst, Math.floor((now + this.#allowanceMs - next) / this.#gapMs + 1e-6)),
    };
  }

  #remember(key: string, usedUp: number): void {
    if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(this.#newer.has(key) ? key : ownCopy(key), usedUp);
    if (this.#older.size > 0) this.#older.delete(key);
  }
}

/** A text of its own: a piece of a request's head, as keys often are, would hold on to all of it. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
