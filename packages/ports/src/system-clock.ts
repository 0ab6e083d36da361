import { hrtime } from "node:process";
import type { Clock } from "./clock.ts";

/** Milliseconds of a clock that never steps. `performance` would tell the same, but loads ten modules when first touched. */
function monotonic(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic,
  timer(ms, fire) {
    const handle = setTimeout(fire, ms);
    handle.unref();
    return () => clearTimeout(handle);
  },
};
