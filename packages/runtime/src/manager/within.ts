import type { Clock } from "@gatewright/ports";

/** Whether the work ends within so many milliseconds. It goes on either way. A rejection is an end too. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = ms === Number.POSITIVE_INFINITY ? () => {} : clock.timer(ms, () => resolve(false));
    const end = (): void => {
      cancel();
      resolve(true);
    };
    work.then(end, end);
  });
}
