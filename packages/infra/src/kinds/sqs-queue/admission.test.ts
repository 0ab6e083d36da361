import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { SQSQueue } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(SQSQueue);

function refusal(spec: JsonObject): string {
  const judged = admission.judge({
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SQSQueue",
    metadata: { name: "orders", namespace: "shop" },
    spec: { providerRef: { name: "aws" }, queueName: "orders.fifo", ...spec },
  });
  return "refused" in judged ? judged.refused : "";
}

test("throughput that is counted by message group needs duplicates that are, and the refusal says so", () => {
  const fifoThroughputLimit = "perMessageGroupId";
  const told = /perMessageGroupId needs deduplicationScope messageGroup: set that too/;
  assert.match(refusal({ fifoThroughputLimit }), told);
  assert.match(refusal({ fifoThroughputLimit, deduplicationScope: "queue" }), told);
  for (const fit of [
    { fifoThroughputLimit, deduplicationScope: "messageGroup" },
    { fifoThroughputLimit: "perQueue" },
    { deduplicationScope: "messageGroup" },
    {},
  ]) {
    assert.equal(refusal(fit), "");
  }
});
