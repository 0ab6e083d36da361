import type { ProcessStats } from "@gatewright/ports";
import type { MetricsRegistry } from "./metrics.ts";

/** Adds what Prometheus clients tell of a process, by their names: memory, processor time, start, event loop. */
export function addProcessMetrics(metrics: MetricsRegistry, stats: ProcessStats): void {
  const sampled = (type: "counter" | "gauge", name: string, help: string, read: () => number): void =>
    metrics.sampled({ type, name, help }, () => [{ labels: [], value: read() }]);
  sampled("counter", "process_cpu_seconds_total", "Processor time that the process has used.", () =>
    stats.cpuSeconds(),
  );
  sampled(
    "gauge",
    "process_resident_memory_bytes",
    "Memory that the process has in RAM.",
    () => stats.memory().residentBytes,
  );
  sampled("gauge", "process_start_time_seconds", "When the process started, in seconds since 1970.", () =>
    stats.startSeconds(),
  );
  sampled("gauge", "nodejs_heap_size_used_bytes", "Heap that is in use, in bytes.", () => stats.memory().heapUsedBytes);
  sampled(
    "gauge",
    "nodejs_heap_size_total_bytes",
    "Heap that is reserved, in bytes.",
    () => stats.memory().heapTotalBytes,
  );
  sampled(
    "gauge",
    "nodejs_external_memory_bytes",
    "Memory of buffers outside of the heap, in bytes.",
    () => stats.memory().externalBytes,
  );
  sampled(
    "gauge",
    "nodejs_eventloop_lag_p99_seconds",
    "The 99th percentile of the event loop's delays.",
    () => stats.loopDelay().p99Seconds,
  );
  sampled(
    "gauge",
    "nodejs_eventloop_lag_max_seconds",
    "The longest delay of the event loop.",
    () => stats.loopDelay().maxSeconds,
  );
}
