import { systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";

/** A clock that runs so many times as fast as the machine's: what waits a minute waits seconds, and nothing else is other. */
export function quickClock(times: number): Clock {
  const [wall, steady] = [systemClock.now(), systemClock.monotonic()];
  const passed = (): number => (systemClock.monotonic() - steady) * times;
  return {
    now: () => wall + passed(),
    monotonic: () => steady + passed(),
    timer: (ms, fire) => systemClock.timer(ms / times, fire),
  };
}
