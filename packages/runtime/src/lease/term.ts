import type { Clock } from "@gatewright/ports";
import { NotLeadingError } from "./write-gate.ts";

/** The time during which this process leads, as those who wait for its beginning and its end see it. */
export interface Term {
  /** Until when leading is certain from now on. The past means not at all; -Infinity, that the lease was lost: the term ends. */
  update(validUntil: number): void;
  whenLeading(signal: AbortSignal): Promise<AbortSignal>;
  check(): void;
}

/**
 * A term that has not begun. It begins when `update` tells of a time to come, goes on while that is extended in time, and ends by
 * itself when it is not: also when whoever calls `update` has died. `validNow` looks the end up where it is kept, if that is not here.
 */
export function createTerm(clock: Clock, validNow?: () => number): Term {
  let told = Number.NEGATIVE_INFINITY;
  let current: AbortController | undefined;
  let cancel = (): void => {};
  const waiting = new Set<(signal: AbortSignal) => void>();
  const validUntil = validNow ?? ((): number => told);

  const watch = (): void => {
    cancel();
    const left = validUntil() - clock.monotonic();
    if (left > 0) {
      cancel = clock.timer(left, watch);
      return;
    }
    end();
  };

  const end = (): void => {
    const ended = current;
    current = undefined;
    ended?.abort(new NotLeadingError());
  };

  return {
    update(until) {
      told = until;
      // It may be held again by now, where `validNow` looks; but another process may have led in between.
      if (until === Number.NEGATIVE_INFINITY) end();
      if (validUntil() > clock.monotonic()) {
        current ??= new AbortController();
        const { signal } = current;
        const resolve = [...waiting];
        waiting.clear();
        for (const each of resolve) each(signal);
      }
      watch();
    },
    whenLeading(signal) {
      if (current !== undefined && validUntil() > clock.monotonic()) return Promise.resolve(current.signal);
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const abort = (): void => {
          waiting.delete(begin);
          reject(signal.reason);
        };
        const begin = (leading: AbortSignal): void => {
          signal.removeEventListener("abort", abort);
          resolve(leading);
        };
        waiting.add(begin);
        signal.addEventListener("abort", abort, { once: true });
      });
    },
    check() {
      if (!(validUntil() > clock.monotonic())) throw new NotLeadingError();
    },
  };
}
