import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Runs work until it returns or the signal aborts. Whenever it throws it is begun anew: after 1 s, doubled with each failure, a minute
 * at most; after a minute of good work the pauses are short again. Never rejects.
 */
export async function restarting(
  work: (signal: AbortSignal) => Promise<void>,
  { clock, failed }: { readonly clock: Clock; readonly failed: (error: unknown, pauseMs: number) => void },
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const begun = clock.monotonic();
    try {
      await work(signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (clock.monotonic() - begun > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      failed(error, pauseMs);
    }
    try {
      await sleep(clock, pauseMs, signal);
    } catch {
      return; // stopped while pausing
    }
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
