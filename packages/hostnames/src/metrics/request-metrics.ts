import type { Metrics } from "@gatewright/runtime";
import { HOSTNAME_METRICS } from "./hostname-metrics.ts";

/** What is counted of requests. */
export interface RequestMetrics {
  denied(reason: string): void;
  /** It became ready, so long after it was not. */
  ready(seconds: number): void;
}

/** Without metrics nothing is counted. */
export function createRequestMetrics(metrics: Metrics | undefined): RequestMetrics {
  const denied = metrics?.counter(HOSTNAME_METRICS.denied);
  const ready = metrics?.histogram(HOSTNAME_METRICS.ready);
  return {
    denied: (reason) => denied?.inc([reason]),
    ready: (seconds) => ready?.observe(seconds),
  };
}
