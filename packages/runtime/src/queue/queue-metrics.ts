import type { Clock } from "@gatewright/ports";
import { QUEUE_METRICS } from "../telemetry/metric-definitions.ts";
import type { Metrics } from "@gatewright/telemetry";

/** What a queue tells while it works. */
export interface QueueMetrics {
  /** A key that was not wanted is wanted now, at once or later. */
  added(): void;
  /** A key was put in with a delay. */
  delayed(): void;
  /** So many more (or fewer) keys of a priority are ready. */
  ready(priority: number, by: number): void;
  took(key: string, waitedMs: number): void;
  ended(key: string): void;
}

/** The metrics of a queue under the names and labels that controller-runtime gives them, there at zero from the start. */
export function queueMetrics(metrics: Metrics, clock: Clock, name: string): QueueMetrics {
  const self = [name, name];
  const depth = metrics.gauge(QUEUE_METRICS.depth);
  const adds = metrics.counter(QUEUE_METRICS.adds);
  const retries = metrics.counter(QUEUE_METRICS.retries);
  const waited = metrics.histogram(QUEUE_METRICS.queueSeconds);
  const worked = metrics.histogram(QUEUE_METRICS.workSeconds);
  const started = new Map<string, number>();
  const runningSeconds = (): number[] => [...started.values()].map((since) => (clock.monotonic() - since) / 1000);
  const unfinished = (): number => runningSeconds().reduce((sum, seconds) => sum + seconds, 0);
  metrics.gauge(QUEUE_METRICS.unfinishedSeconds).from(unfinished, self);
  metrics.gauge(QUEUE_METRICS.longestRunningSeconds).from(() => Math.max(0, ...runningSeconds()), self);
  adds.inc(self, 0);
  retries.inc(self, 0);

  const depths = new Map<number, { ready: number }>();
  const depthOf = (priority: number): { ready: number } => {
    const known = depths.get(priority);
    if (known !== undefined) return known;
    const counted = { ready: 0 };
    depths.set(priority, counted);
    depth.from(() => counted.ready, [name, name, String(priority)]);
    return counted;
  };
  depthOf(0);
  return {
    added: () => adds.inc(self),
    delayed: () => retries.inc(self),
    ready(priority, by) {
      depthOf(priority).ready += by;
    },
    took(key, waitedMs) {
      started.set(key, clock.monotonic());
      waited.observe(waitedMs / 1000, self);
    },
    ended(key) {
      const since = started.get(key);
      if (since === undefined) return;
      started.delete(key);
      worked.observe((clock.monotonic() - since) / 1000, self);
    },
  };
}
