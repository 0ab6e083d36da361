import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { startPolicyStatusController } from "./policy-status-controller.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { fakeResource } from "./testing/fake-resource.ts";

test("the status of a policy tells which generation of it is in force", async () => {
  const clock = new ManualClock();
  const group = "admissionregistration.k8s.io";
  const policies = fakeResource("ValidatingAdmissionPolicy", { group, namespaced: false });
  const cluster = new FakeCluster(clock, [policies]);
  const controller = startPolicyStatusController(cluster, { clock, report: () => {} });
  const metadata = { name: "p", generation: 1 };
  await cluster.create(policies, { apiVersion: `${group}/v1`, kind: "ValidatingAdmissionPolicy", metadata });
  await controller.idle();
  assert.deepEqual(cluster.get(policies, "", "p")?.status, { observedGeneration: 1, typeChecking: {} });
  await cluster.edit(policies, "", "p", (o) => void (o.metadata.generation = 2));
  await controller.idle();
  assert.deepEqual(cluster.get(policies, "", "p")?.status, { observedGeneration: 2, typeChecking: {} });
  await controller.stop();
});
