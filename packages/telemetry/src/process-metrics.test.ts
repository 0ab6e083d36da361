import assert from "node:assert/strict";
import { test } from "node:test";
import { systemProcessStats } from "@gatewright/ports";
import { createMetrics } from "./create-metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";

test("a scrape tells what the process uses", () => {
  using stats = systemProcessStats();
  const metrics = createMetrics();
  addProcessMetrics(metrics, stats);
  const { body } = metrics.exposition();
  for (const name of [
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "process_start_time_seconds",
    "nodejs_heap_size_used_bytes",
  ]) {
    assert.match(body, new RegExp(`^${name} [1-9][\\d.e+]*$|^${name} 0\\.\\d+$`, "m"));
  }
  assert.match(body, /^nodejs_eventloop_lag_max_seconds \d/m);
});
