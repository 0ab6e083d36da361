import type { Clock } from "./clock.ts";

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(ms, fire) {
    const handle = setTimeout(fire, ms);
    handle.unref();
    return () => clearTimeout(handle);
  },
};
