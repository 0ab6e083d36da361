import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "@gatewright/telemetry";
import { addedMetrics } from "./added-metrics.ts";

function scrape(requests: number, active: number, label: string): string {
  const metrics = createMetrics();
  metrics.counter({ name: "requests_total", help: "Requests.", labels: ["who"] }).inc([label], requests);
  metrics.gauge({ name: "active", help: "Now." }).set(active);
  metrics.histogram({ name: "seconds", help: "Time.", buckets: [1] }).observe(requests);
  return metrics.exposition().body;
}

test("values of the same series are added up, and those of one only are kept", () => {
  const added = addedMetrics([scrape(1, 2, "a b"), scrape(3, 4, "a b"), scrape(5, 6, 'x"y')]);
  assert.match(added, /^requests_total\{who="a b"\} 4$/m);
  assert.match(added, /^requests_total\{who="x\\"y"\} 5$/m);
  assert.match(added, /^active 12$/m);
  assert.match(added, /^seconds_bucket\{le="1"\} 1$/m);
  assert.match(added, /^seconds_bucket\{le="\+Inf"\} 3$/m);
  assert.equal(added.match(/# TYPE requests_total counter/g)?.length, 1);
});

test("of those who are no more, only what never falls counts", () => {
  const added = addedMetrics([scrape(1, 2, "a")], [scrape(3, 4, "a"), ""]);
  assert.match(added, /^requests_total\{who="a"\} 4$/m);
  assert.match(added, /^active 2$/m);
});

test("one alone is as it was", () => {
  assert.equal(addedMetrics([scrape(1, 2, "a")]), scrape(1, 2, "a"));
});
