import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "@gatewright/runtime";
import type { SourceRef } from "../model/deliverable.ts";
import { addFeedMetrics } from "./feed-metrics.ts";
import type { SourceReport } from "./source-report.ts";

test("objects are counted by kind, and those that are not delivered as they are", () => {
  const metrics = createMetrics();
  const refs: SourceRef[] = ["good", "bad"].map((name) => ({ kind: "APIRoute", namespace: "shop", name }));
  addFeedMetrics(metrics, ["APIRoute", "Backend"], {
    sources: () => refs,
    report: (key) => ({ generation: 2, serving: key.endsWith("good") ? 2 : 1 }) as SourceReport,
  });
  const { body } = metrics.exposition();
  for (const line of [
    'avapigw_operator_crds_total{type="apiroute"} 2',
    'avapigw_operator_crds_total{type="backend"} 0',
    'avapigw_operator_crds_kept_out{type="apiroute"} 1',
  ]) {
    assert.ok(body.includes(line), line);
  }
});
