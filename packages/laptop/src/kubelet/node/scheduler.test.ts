import assert from "node:assert/strict";
import { test } from "node:test";
import { coordination, core } from "@gatewright/kube/api";
import { ManualClock } from "@gatewright/ports";
import { createKubeletWorld, is } from "../testing/kubelet-world.ts";
import type { KubeletWorld, Pod } from "../testing/kubelet-world.ts";
import { laptopNode } from "./laptop-node.ts";

const small = laptopNode({ capacity: { cpu: "2", memory: "1Gi", pods: "5", "ephemeral-storage": "1Gi" } });
const image = "nginx";
const asking = (requests: Record<string, string>): Partial<core.PodSpec> => ({
  containers: [{ name: "main", image, resources: { requests } }],
});

function unscheduled(world: KubeletWorld, name: string): Promise<Pod> {
  return world.until(
    "it does not fit",
    name,
    (pod) =>
      pod?.status?.conditions?.some(({ type, status }) => type === "PodScheduled" && status === "False") === true,
  );
}

function whyNot(pod: Pod): string {
  return pod.status?.conditions?.find(({ type }) => type === "PodScheduled")?.message ?? "";
}

test("the node is there, is ready, and shows that it is alive", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock, node: small });
  await world.run({ containers: [{ name: "main", image }] }, { name: "a" });
  await world.until("it is ready", "a", (pod) => is(pod, "Ready"));
  const node = await world.client.for(core.Node).get({ name: "laptop" });
  assert.equal(node.status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
  assert.equal(node.status?.allocatable?.["cpu"], "2");
  assert.equal(node.spec?.taints, undefined);
  const lease = () => world.client.for(coordination.Lease).get({ namespace: "kube-node-lease", name: "laptop" });
  const before = (await lease()).spec?.renewTime;
  await world.settle("it renews its lease", async () => (await lease()).spec?.renewTime !== before);
  const later = await world.client.for(core.Node).get({ name: "laptop" });
  assert.equal(later.metadata.resourceVersion, node.metadata.resourceVersion, "that alone writes no node");
  await world.client.for(core.Node).delete({ name: "laptop" });
  await world.settle(
    "it is made again",
    async () => (await world.client.for(core.Node).find({ name: "laptop" })) !== undefined,
  );
});

test("a pod that asks for more than is left waits, is told why, and gets its place when another goes", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock, node: small });
  await world.run(asking({ cpu: "1500m" }), { name: "first" });
  await world.until("it is ready", "first", (pod) => is(pod, "Ready"));
  await world.run(asking({ cpu: "1" }), { name: "second" });
  assert.equal(
    whyNot(await unscheduled(world, "second")),
    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, " +
      "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  );
  await world.run(asking({ memory: "2Gi", cpu: "3" }), { name: "never" });
  assert.equal(
    whyNot(await unscheduled(world, "never")),
    "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. no new claims to deallocate, " +
      "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
  );
  assert.ok((await world.eventsOf("second")).some((event) => event.startsWith("FailedScheduling: 0/1 nodes")));
  await world.client.for(core.Pod).delete({ namespace: "default", name: "first" });
  await world.until("it is ready", "second", (pod) => is(pod, "Ready"));
});

test("a pod goes to no node whose labels it does not want, until they change", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock, node: small });
  await world.run({ ...asking({}), nodeSelector: { disk: "ssd" } }, { name: "picky" });
  assert.match(whyNot(await unscheduled(world, "picky")), /1 node\(s\) didn't match Pod's node affinity\/selector\./);
  const terms = [{ matchExpressions: [{ key: "kubernetes.io/os", operator: "In", values: ["linux"] }] }];
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
  await world.run({ ...asking({}), affinity }, { name: "linux" });
  await world.until("it is ready", "linux", (pod) => is(pod, "Ready"));
  await world.client.for(core.Node).patch({ name: "laptop" }, { merge: { metadata: { labels: { disk: "ssd" } } } });
  await world.until("it is ready", "picky", (pod) => is(pod, "Ready"));
});

test("cordons and taints keep pods away, unless they tolerate them", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock, node: small });
  await world.run(asking({}), { name: "before" });
  await world.until("it is ready", "before", (pod) => is(pod, "Ready"));
  await world.client.for(core.Node).patch({ name: "laptop" }, { merge: { spec: { unschedulable: true } } });
  await world.run(asking({}), { name: "cordoned" });
  assert.match(whyNot(await unscheduled(world, "cordoned")), /1 node\(s\) were unschedulable\./);
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }];
  await world.client.for(core.Node).patch({ name: "laptop" }, { merge: { spec: { unschedulable: null, taints } } });
  await world.until(
    "it is kept out by the taint",
    "cordoned",
    (pod) => pod !== undefined && whyNot(pod).includes("untolerated taint(s)"),
  );
  await world.run({ ...asking({}), tolerations: [{ key: "gpu", operator: "Exists" }] }, { name: "tolerant" });
  await world.until("it is ready", "tolerant", (pod) => is(pod, "Ready"));
});

test("gates and other schedulers are respected", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock, node: small });
  await world.run({ ...asking({}), schedulingGates: [{ name: "example.com/wait" }] }, { name: "gated" });
  await world.run({ ...asking({}), schedulerName: "another" }, { name: "theirs" });
  await world.run(asking({}), { name: "ours" });
  await world.until("it is ready", "ours", (pod) => is(pod, "Ready"));
  assert.equal((await world.get("gated"))?.spec?.nodeName, undefined);
  assert.equal((await world.get("theirs"))?.spec?.nodeName, undefined);
  await world.client
    .for(core.Pod)
    .patch({ namespace: "default", name: "gated" }, { merge: { spec: { schedulingGates: null } } });
  await world.until("it is ready", "gated", (pod) => is(pod, "Ready"));
});
