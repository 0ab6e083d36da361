import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, systemProcessStats } from "@gatewright/ports";
import { createMetrics } from "./create-metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { measured } from "./request-metrics.ts";

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

test("requests are counted by their answer, also those without one, and measured", async () => {
  const clock = new ManualClock();
  const metrics = createMetrics();
  const transport = measured(
    async ({ path }) => {
      clock.advance(30);
      if (path === "/broken") throw new Error("cut");
      return { status: 404, headers: {}, body: (async function* () {})() };
    },
    metrics,
    clock,
    "cluster",
  );
  await transport({ method: "GET", path: "/x" });
  await assert.rejects(transport({ method: "PUT", path: "/broken" }), /cut/);
  const { body } = metrics.exposition();
  assert.ok(body.includes('rest_client_requests_total{code="404",method="GET",host="cluster"} 1\n'));
  assert.ok(body.includes('rest_client_requests_total{code="<error>",method="PUT",host="cluster"} 1\n'));
  assert.ok(body.includes('rest_client_request_duration_seconds_sum{verb="GET",host="cluster"} 0.03\n'));
});
