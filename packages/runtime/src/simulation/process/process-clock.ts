import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Incarnation } from "./incarnation.ts";

/** How the clock of a process differs from the world's. */
export interface ClockSkew {
  /** Added to wall-clock time; jumps change it. */
  offsetMs: number;
  /** Milliseconds that this clock counts in one of the world's. */
  readonly rate: number;
}

/** The clock of one process: wrong by its skew, silent while the process is paused, and for ever once it is dead. */
export function processClock(world: Clock, life: Incarnation, skew: ClockSkew): Clock {
  const born = world.monotonic();
  const passed = (): number => (world.monotonic() - born) * skew.rate;
  return {
    now: () => world.now() + skew.offsetMs,
    monotonic: passed,
    timer(ms, fire): CancelTimer {
      if (!life.alive) return () => {};
      let waiting = true;
      // Timers of Node wait for a millisecond at least.
      const cancel = world.timer(Math.max(ms, 1) / skew.rate, () =>
        life.deliver(() => {
          if (!waiting) return;
          waiting = false;
          fire();
        }),
      );
      return () => {
        waiting = false;
        cancel();
      };
    },
  };
}
