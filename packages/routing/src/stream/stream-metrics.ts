import type { Metrics } from "@gatewright/runtime";
import { ROUTING_METRICS } from "../routing-metrics.ts";

/** What the stream counts. */
export interface StreamMetrics {
  /** A call of a gateway was answered. */
  call(method: string, status: "ok" | "error"): void;
  sent(updates: number): void;
  failed(): void;
  reaped(): void;
}

/** Counters of configuration that goes to gateways, by the door that it goes through. */
export function pushCounters(metrics: Metrics | undefined, door: "stream" | "push") {
  const present = [[door]];
  const total = metrics?.counter({ ...ROUTING_METRICS.pushes, present });
  const errors = metrics?.counter({ ...ROUTING_METRICS.pushErrors, present });
  return {
    sent: (updates = 1): void => total?.inc([door], updates),
    failed: (): void => errors?.inc([door]),
  };
}

/** Metrics of the stream. */
export function streamMetrics(metrics: Metrics | undefined, streams: () => number): StreamMetrics {
  metrics?.gauge(ROUTING_METRICS.streams).from(streams);
  const requests = metrics?.counter(ROUTING_METRICS.calls);
  const reaped = metrics?.counter(ROUTING_METRICS.reaped);
  return {
    ...pushCounters(metrics, "stream"),
    call: (method, status) => requests?.inc([method, status]),
    reaped: () => reaped?.inc(),
  };
}
