import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import type { New } from "@gatewright/runtime";
import { workloadWorld } from "../testing/workload-world.ts";
import type { WorkloadWorld } from "../testing/workload-world.ts";

const WEB = { namespace: "default", name: "web" };

function web(spec: Partial<apps.ReplicaSetSpec> & { readonly image?: string } = {}): New<apps.ReplicaSet> {
  const { image = "run:1", ...more } = spec;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image }] } };
  return { metadata: { ...WEB }, spec: { replicas: 2, selector: { matchLabels: labels }, template, ...more } };
}

const replicaSet = (world: WorkloadWorld) => () => world.client.for(apps.ReplicaSet).get(WEB);

const pod = (name: string, labels: Record<string, string>, image = "run:1"): New<core.Pod> => ({
  metadata: { namespace: "default", name, labels },
  spec: { containers: [{ name: "main", image }] },
});

const created = ({ requests }: WorkloadWorld): number =>
  requests.filter((request) => request === "POST /api/v1/namespaces/default/pods").length;

const isReady =
  (count: number) =>
  ({ status }: Immutable<apps.ReplicaSet>): boolean =>
    status?.readyReplicas === count && status.replicas === count;

test("pods that match and are nobody's are taken in instead of new ones, and one that no longer matches is let go", async () => {
  await using world = await workloadWorld();
  await world.client.for(core.Pod).create(pod("mine", { app: "web" }));
  await world.client.for(apps.ReplicaSet).create(web());
  const seen = await world.until(replicaSet(world), isReady(2));
  assert.equal(created(world), 1);
  const ref = { ...WEB, name: "mine" };
  const mine = await world.client.for(core.Pod).get(ref);
  assert.equal(mine.metadata.ownerReferences?.[0]?.uid, seen.metadata.uid);
  assert.equal(mine.metadata.ownerReferences?.[0]?.blockOwnerDeletion, true);
  await world.client.for(core.Pod).patch(ref, { merge: { metadata: { labels: { app: "other" } } } });
  await world.until(
    () => world.client.for(core.Pod).get(ref),
    ({ metadata }) => metadata.ownerReferences === undefined,
  );
  await world.until(
    () => world.pods(),
    (pods) => pods.length === 3,
  );
});

test("a pod that appears later and makes one too many is deleted again, since it is the youngest", async () => {
  await using world = await workloadWorld();
  await world.client.for(apps.ReplicaSet).create(web());
  await world.until(replicaSet(world), isReady(2));
  await world.pass(2);
  await world.client.for(core.Pod).create(pod("extra", { app: "web" }));
  await world.until(
    () => world.client.for(core.Pod).find({ ...WEB, name: "extra" }),
    (found) => found === undefined,
  );
  assert.equal((await world.pods()).length, 2);
});

test("a pod that is gone is replaced by one with another name", async () => {
  await using world = await workloadWorld();
  await world.client.for(apps.ReplicaSet).create(web({ replicas: 3 }));
  await world.until(replicaSet(world), isReady(3));
  for (let round = 0; round < 3; round++) {
    const before = (await world.pods()).map(({ metadata }) => metadata.name ?? "");
    await world.client.for(core.Pod).delete({ ...WEB, name: before[round] ?? "" });
    await world.pass(2);
    const now = (await world.pods()).map(({ metadata }) => metadata.name ?? "");
    assert.equal(now.length, 3);
    assert.ok(!now.includes(before[round] ?? ""));
  }
  assert.equal(created(world), 6);
});

test("what a quota refuses is told once, and made when there is room", async () => {
  await using world = await workloadWorld();
  const quotas = world.client.for(core.ResourceQuota);
  await quotas.create({ metadata: { namespace: "default", name: "few" }, spec: { hard: { pods: "2" } } });
  await world.pass(1);
  await world.client.for(apps.ReplicaSet).create(web({ replicas: 4 }));
  const few = await world.until(replicaSet(world), ({ status }) => status?.readyReplicas === 2);
  const [condition] = few.status?.conditions ?? [];
  assert.equal(condition?.type, "ReplicaFailure");
  assert.equal(condition?.reason, "FailedCreate");
  assert.match(condition?.message ?? "", /^pods "web-\w{5}" is forbidden: exceeded quota: few/);
  await quotas.patch({ namespace: "default", name: "few" }, { merge: { spec: { hard: { pods: "9" } } } });
  const enough = await world.until(replicaSet(world), isReady(4), 2000);
  assert.equal(enough.status?.conditions, undefined);
});

test("pods count as available when they have been ready for long enough", async () => {
  await using world = await workloadWorld();
  await world.client.for(apps.ReplicaSet).create(web({ minReadySeconds: 10 }));
  const ready = await world.until(replicaSet(world), isReady(2));
  assert.equal(ready.status?.availableReplicas, undefined);
  const available = await world.until(replicaSet(world), ({ status }) => status?.availableReplicas === 2, 15);
  const [first] = await world.pods();
  const since = Date.parse(first?.status?.conditions?.[0]?.lastTransitionTime ?? "");
  assert.ok(world.clock.now() - since >= 10_000);
  assert.equal(available.status?.readyReplicas, 2);
});

test("pods that never became ready are the first to go", async () => {
  await using world = await workloadWorld();
  await world.client.for(core.Pod).create(pod("waits", { app: "web" }, "missing:1"));
  await world.client.for(apps.ReplicaSet).create(web({ replicas: 3 }));
  await world.until(replicaSet(world), ({ status }) => status?.readyReplicas === 2);
  await world.client.for(apps.ReplicaSet).patch(WEB, { merge: { spec: { replicas: 2 } } });
  await world.until(replicaSet(world), isReady(2));
  assert.equal(await world.client.for(core.Pod).find({ ...WEB, name: "waits" }), undefined);
});
