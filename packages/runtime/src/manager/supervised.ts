import type { Clock } from "@gatewright/ports";
import { restarting } from "../controller/restarting.ts";
import type { Log } from "@gatewright/telemetry";
import type { HealthCheck, Runnable } from "./manager.ts";

/** A runnable whose failures are contained, logged and told to health. */
export interface Supervised {
  readonly check: HealthCheck;
  /** Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Starts a runnable again when it fails. Its check tells of a failure until it has run well for as long as it had to pause. */
export function supervised(
  runnable: Runnable,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Supervised {
  let worryUntil = Number.NEGATIVE_INFINITY;
  const failed = (error: unknown, pauseMs: number): void => {
    worryUntil = clock.monotonic() + 2 * pauseMs;
    log.error("A part of the process failed and will be started again", { part: runnable.name, error, pauseMs });
  };
  return {
    check: {
      name: runnable.name,
      for: "ready",
      problem: () => (clock.monotonic() < worryUntil ? "it failed lately; the log says why" : undefined),
    },
    run: (signal) => restarting((ended) => runnable.run(ended), { clock, failed }, signal),
  };
}
