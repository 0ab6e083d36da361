import type { CancelTimer, Clock } from "@gatewright/ports";
import { nextTurn } from "@gatewright/ports";
import type { Catalogue } from "../model/catalogue.ts";

export interface PaceOptions {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Changes go out when it was quiet for this long. Default: 3 ms. */
  readonly quietMs?: number;
  /** Or when the first of them is this old. Default: 50 ms. */
  readonly longestMs?: number;
}

/** How many are woken before others get their turn. */
const AT_ONCE = 16;

/**
 * When changes go out: one timer for all gateways. Changes that come together go out together; nothing waits long. Those who wait are
 * woken a few at a time, so that a thousand gateways do not hold everything else up.
 */
export class ChangePace {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #quietMs: number;
  readonly #longestMs: number;
  readonly #waiting = new Set<() => void>();
  /** Changes up to this one may go out. */
  #ready: number;
  #firstAt: number | undefined;
  #cancel: CancelTimer = () => {};
  #unsubscribe: () => void = () => {};

  constructor({ catalogue, clock, quietMs = 3, longestMs = 50 }: PaceOptions) {
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#quietMs = quietMs;
    this.#longestMs = longestMs;
    this.#ready = catalogue.revision;
  }

  /** Begins to look at the catalogue, until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#ready = this.#catalogue.revision;
    this.#unsubscribe = this.#catalogue.subscribe(() => this.#changed());
    const stop = (): void => {
      this.#unsubscribe();
      this.#cancel();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }

  /** Resolves when changes after a revision may go out, and the catalogue is complete; rejects when the signal aborts. */
  async after(revision: number, signal: AbortSignal): Promise<void> {
    while (!this.#catalogue.complete || this.#ready <= revision) {
      signal.throwIfAborted();
      await this.#woken(signal);
    }
  }

  #woken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(wake);
        reject(signal.reason);
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  #changed(): void {
    const now = this.#clock.monotonic();
    this.#firstAt ??= now;
    this.#cancel();
    const wait = Math.min(this.#quietMs, this.#firstAt + this.#longestMs - now);
    this.#cancel = this.#clock.timer(Math.max(0, wait), () => {
      this.#firstAt = undefined;
      this.#ready = this.#catalogue.revision;
      void this.#wake([...this.#waiting]);
    });
  }

  async #wake(waiting: readonly (() => void)[]): Promise<void> {
    for (const [index, wake] of waiting.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
      wake();
    }
  }
}
