import type { LeaseOptions } from "./elector.ts";

/** The times of an election, checked. */
export interface LeaseTiming {
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
  /** How long one request may take, so that a single hung one cannot cost the lease. */
  readonly callMs: number;
}

/** How much longer than the retry period an attempt may be put off, so that waiting processes do not try in step. */
export const JITTER = 1.2;

/**
 * Fills in defaults and refuses times that cannot work: a lease that others may take before its holder has stopped, or a holder
 * that has no second try.
 */
export function leaseTiming(options: LeaseOptions): LeaseTiming {
  const { durationMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2_000 } = options;
  if (!(retryMs > 0)) throw new RangeError(`the lease's retryMs must be above 0, not ${retryMs}`);
  if (!(renewDeadlineMs > JITTER * retryMs)) {
    throw new RangeError(
      `the lease's renewDeadlineMs (${renewDeadlineMs}) must be above ${JITTER} × retryMs (${retryMs}): otherwise one failed renewal loses it`,
    );
  }
  if (!(durationMs > renewDeadlineMs)) {
    throw new RangeError(
      `the lease's durationMs (${durationMs}) must be above its renewDeadlineMs (${renewDeadlineMs}): otherwise two processes can lead at once`,
    );
  }
  if (options.identity === "")
    throw new RangeError("the lease's identity must not be empty: an empty holder means nobody");
  return {
    durationMs,
    renewDeadlineMs,
    retryMs,
    callMs: Math.max(Math.min(1_000, renewDeadlineMs), renewDeadlineMs / 2),
  };
}
