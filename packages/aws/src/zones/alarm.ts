import type { Clock } from "@gatewright/ports";

/** A wait that can be ended early. One waiter at a time; a ring that nobody waited for ends the next wait at once. */
export class Alarm {
  readonly #clock: Clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves after `ms`, or when it rings. Rejects with the signal's reason. Infinity: only when it rings. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const end = (): void => {
        cancel?.();
        signal.removeEventListener("abort", abort);
        this.#wake = undefined;
        this.#rung = false;
      };
      const abort = (): void => {
        end();
        reject(signal.reason);
      };
      const wake = (): void => {
        end();
        resolve();
      };
      const cancel = ms === Infinity || this.#rung ? undefined : this.#clock.timer(Math.max(ms, 0), wake);
      signal.addEventListener("abort", abort, { once: true });
      this.#wake = wake;
      if (this.#rung) wake();
    });
  }
}
