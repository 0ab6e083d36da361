import { hrtime } from "node:process";
import type { CancelTimer, Clock } from "./clock.ts";

/** What Node waits at most, some 25 days: with more it would not wait at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** Milliseconds of a clock that never steps. `performance` would tell the same, but loads ten modules when first touched. */
function monotonic(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic,
  timer: (ms, fire) => (ms > LONGEST_MS ? longTimer(ms, fire) : shortTimer(ms, fire)),
};

function shortTimer(ms: number, fire: () => void): CancelTimer {
  const handle = setTimeout(fire, ms);
  handle.unref();
  return () => clearTimeout(handle);
}

/** Waits piece by piece. */
function longTimer(ms: number, fire: () => void): CancelTimer {
  let cancel = shortTimer(LONGEST_MS, () => (cancel = systemClock.timer(ms - LONGEST_MS, fire)));
  return () => cancel();
}
