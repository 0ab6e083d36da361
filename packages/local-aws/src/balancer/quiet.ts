import type { Clock } from "@gatewright/ports";

/** A watch that must be touched now and then. */
export interface Quiet extends Disposable {
  readonly touch: () => void;
}

/** Calls `tooLong` once when nothing touched it for `ms`. Touching is cheap: the timer is set anew only when it fires. */
export function quietWatch(clock: Clock, ms: number, tooLong: () => void): Quiet {
  let last = clock.monotonic();
  const arm = (wait: number): (() => void) =>
    clock.timer(wait, () => {
      const left = last + ms - clock.monotonic();
      if (left <= 0) tooLong();
      else cancel = arm(left);
    });
  let cancel = arm(ms);
  return {
    touch() {
      last = clock.monotonic();
    },
    [Symbol.dispose]: () => cancel(),
  };
}
