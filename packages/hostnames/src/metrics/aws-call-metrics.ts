import type { CallObserver } from "@gatewright/aws";
import type { Metrics } from "@gatewright/runtime";
import { HOSTNAME_METRICS } from "./hostname-metrics.ts";

/** Counts calls to AWS: what `createAws` takes as `onCall`. All who share a registry may have one of their own. */
export function awsCallMetrics(metrics: Metrics): CallObserver {
  const calls = metrics.counter(HOSTNAME_METRICS.awsCalls);
  const throttles = metrics.counter(HOSTNAME_METRICS.awsThrottles);
  const seconds = metrics.histogram(HOSTNAME_METRICS.awsSeconds);
  return ({ service, operation, outcome, ms }) => {
    calls.inc([service, operation, outcome]);
    throttles.inc([service, operation], outcome === "throttled" ? 1 : 0);
    seconds.observe(ms / 1000, [service, operation]);
  };
}
