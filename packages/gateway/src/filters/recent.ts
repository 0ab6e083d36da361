import type { Clock } from "@gatewright/ports";

/** Remembers a bounded number of things for a bounded time; the oldest gives way. Keys are digests: secrets are not kept. */
export class Recent<T> {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#clock.monotonic() < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Remembers for `ms`; not at all when that is not positive. */
  set(key: string, value: T, ms: number): void {
    this.#entries.delete(key);
    if (!(ms > 0)) return;
    if (this.#entries.size >= this.#limit) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: this.#clock.monotonic() + ms });
  }

  get size(): number {
    return this.#entries.size;
  }
}
