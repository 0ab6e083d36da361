import type { Clock } from "@gatewright/ports";
import type { Metrics } from "../telemetry/metrics.ts";

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

/** 10 ns to 1000 s, as the dashboards that exist for these metrics expect. */
const BUCKETS: readonly number[] = Array.from({ length: 12 }, (_, i) => Number(`1e${i - 8}`));

/** The metrics of a queue under the names and labels that controller-runtime gives them. */
export function queueMetrics(metrics: Metrics, clock: Clock, name: string): QueueMetrics {
  const labelled = { labels: ["name", "controller"] };
  const self = [name, name];
  const depth = metrics.gauge({
    name: "workqueue_depth",
    help: "Current depth of workqueue by workqueue and priority",
    labels: ["name", "controller", "priority"],
  });
  const adds = metrics.counter({
    name: "workqueue_adds_total",
    help: "Total number of adds handled by workqueue",
    ...labelled,
  });
  const waited = metrics.histogram({
    name: "workqueue_queue_duration_seconds",
    help: "How long in seconds an item stays in workqueue before being requested",
    ...labelled,
    buckets: BUCKETS,
  });
  const worked = metrics.histogram({
    name: "workqueue_work_duration_seconds",
    help: "How long in seconds processing an item from workqueue takes.",
    ...labelled,
    buckets: BUCKETS,
  });
  const retries = metrics.counter({
    name: "workqueue_retries_total",
    help: "Total number of items added to the workqueue with a non-zero delay",
    ...labelled,
  });
  const started = new Map<string, number>();
  const runningSeconds = (): number[] => [...started.values()].map((since) => (clock.monotonic() - since) / 1000);
  metrics
    .gauge({
      name: "workqueue_unfinished_work_seconds",
      help: "How many seconds of work has been done that is in progress and hasn't been observed by work_duration.",
      ...labelled,
    })
    .from(() => runningSeconds().reduce((sum, seconds) => sum + seconds, 0), self);
  metrics
    .gauge({
      name: "workqueue_longest_running_processor_seconds",
      help: "How many seconds has the longest running processor for workqueue been running.",
      ...labelled,
    })
    .from(() => Math.max(0, ...runningSeconds()), self);
  adds.inc(self, 0);
  retries.inc(self, 0);

  const depths = new Map<number, { ready: number }>();
  return {
    added: () => adds.inc(self),
    delayed: () => retries.inc(self),
    ready(priority, by) {
      let counted = depths.get(priority);
      if (counted === undefined) {
        const fresh = { ready: 0 };
        counted = fresh;
        depths.set(priority, fresh);
        depth.from(() => fresh.ready, [name, name, String(priority)]);
      }
      counted.ready += by;
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
