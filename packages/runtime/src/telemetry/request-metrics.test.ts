import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { createMetrics } from "@gatewright/telemetry";
import { measured } from "./request-metrics.ts";

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
