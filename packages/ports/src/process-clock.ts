import type { Clock } from "./clock.ts";
import { systemClock } from "./system-clock.ts";

/** The machine's own time, with a monotonic reading that all threads of a process share: the system clock's differs in each. */
export const processClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  timer: (ms, fire) => systemClock.timer(ms, fire),
};
