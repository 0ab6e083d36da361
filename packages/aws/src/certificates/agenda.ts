import type { Clock } from "@gatewright/ports";

/** What is done about a key. Rejects only when aborted, or for what a fresh start must mend. */
type Work = (key: string, signal: AbortSignal) => Promise<void>;

/**
 * Things to do, by key: each when it is due, never twice at once, so many side by side at most. Nothing is done, and no timer is set,
 * unless it runs.
 */
export class Agenda {
  readonly #clock: Clock;
  readonly #atOnce: number;
  readonly #work: Work;
  readonly #due = new Map<string, number>();
  readonly #busy = new Set<string>();
  #changed = (): void => {};

  constructor(clock: Clock, atOnce: number, work: Work) {
    this.#clock = clock;
    this.#atOnce = atOnce;
    this.#work = work;
  }

  /** To be done in `ms`, or at the moment that was said before if that is earlier. While it is being done: once more after that. */
  put(key: string, ms = 0): void {
    const at = this.#clock.monotonic() + ms;
    if (at >= (this.#due.get(key) ?? Infinity)) return;
    this.#due.set(key, at);
    this.#changed();
  }

  clear(): void {
    this.#due.clear();
  }

  /** Until the signal aborts and what is being done has ended. */
  run(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let cancel = (): void => {};
      let failed: { readonly error: unknown } | undefined;
      const over = (): boolean => signal.aborted || failed !== undefined;
      const settle = (): void => {
        cancel();
        if (!over() || this.#busy.size > 0) return;
        this.#changed = () => {};
        signal.removeEventListener("abort", settle);
        if (failed === undefined) resolve();
        else reject(failed.error);
      };
      const begin = (key: string): void => {
        this.#due.delete(key);
        this.#busy.add(key);
        this.#work(key, signal)
          .catch((error: unknown) => {
            if (!signal.aborted) failed ??= { error };
          })
          .finally(() => {
            this.#busy.delete(key);
            next();
          });
      };
      const next = (): void => {
        cancel();
        if (over()) return settle();
        const now = this.#clock.monotonic();
        for (let found = this.#earliest(); found !== undefined; found = this.#earliest()) {
          const [key, at] = found;
          if (at > now) {
            cancel = this.#clock.timer(at - now, next);
            return;
          }
          begin(key);
        }
      };
      this.#changed = next;
      signal.addEventListener("abort", settle);
      next();
    });
  }

  #earliest(): readonly [string, number] | undefined {
    if (this.#busy.size >= this.#atOnce) return undefined;
    let earliest: readonly [string, number] | undefined;
    for (const entry of this.#due) {
      if (!this.#busy.has(entry[0]) && (earliest === undefined || entry[1] < earliest[1])) earliest = entry;
    }
    return earliest;
  }
}
