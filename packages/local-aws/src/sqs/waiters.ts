import type { Clock } from "@gatewright/ports";

/** Receivers that wait for messages. */
export class Waiters {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  #stopped = false;
  #wakes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often anybody was woken: to be taken before a queue is looked at, and given to the wait that follows. */
  get wakes(): number {
    return this.#wakes;
  }

  /**
   * Resolves when the queue is woken, after `ms`, or when the signal aborts; whichever is first. At once when somebody was woken after
   * `since`: it may be that what came then was not seen. Never rejects.
   */
  wait(
    queue: string,
    { since, ms }: { readonly since: number; readonly ms: number },
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#stopped || this.#wakes !== since) return resolve();
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
    this.#wakes++;
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
