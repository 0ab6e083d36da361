import type { Clock } from "@gatewright/ports";

/** Receivers that wait for messages. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the queue is woken, after `ms`, or when the signal aborts; whichever is first. Never rejects. */
  wait(queue: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#stopped) return resolve();
      const waiting = this.#waiting.get(queue) ?? new Set();
      this.#waiting.set(queue, waiting);
      const done = (): void => {
        cancel();
        signal.removeEventListener("abort", done);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(queue) === waiting) this.#waiting.delete(queue);
        resolve();
      };
      const cancel = this.#clock.timer(ms, done);
      signal.addEventListener("abort", done, { once: true });
      waiting.add(done);
    });
  }

  /** Lets all who wait for a queue look again. */
  wake(queue: string): void {
    for (const done of this.#waiting.get(queue) ?? []) done();
  }

  /** Ends all waits, those to come as well. */
  stop(): void {
    this.#stopped = true;
    for (const queue of this.#waiting.keys()) this.wake(queue);
  }

  get stopped(): boolean {
    return this.#stopped;
  }
}
