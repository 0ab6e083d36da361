import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import { apps } from "@gatewright/kube/api";
import type { New } from "@gatewright/runtime";
import { workloadWorld } from "../testing/workload-world.ts";

function web(spec: Partial<apps.DeploymentSpec> & { readonly image?: string } = {}): New<apps.Deployment> {
  const { image = "run:1", ...more } = spec;
  return {
    metadata: { namespace: "default", name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image }] } },
      ...more,
    },
  };
}

const isComplete = ({ metadata, spec, status }: Immutable<apps.Deployment>): boolean =>
  status?.observedGeneration === metadata.generation &&
  status?.updatedReplicas === spec?.replicas &&
  status?.replicas === spec?.replicas &&
  status?.availableReplicas === spec?.replicas;

const image = (name: string) => ({
  strategic: { spec: { template: { spec: { containers: [{ name: "main", image: name }] } } } },
});
const WEB = { namespace: "default", name: "web" };

test("a Deployment becomes a ReplicaSet and pods, and tells so", async () => {
  await using world = await workloadWorld();
  await world.client.for(apps.Deployment).create(web());
  const done = await world.until(() => world.deployment("web"), isComplete);
  assert.equal(done.metadata.annotations?.["deployment.kubernetes.io/revision"], "1");
  const [replicaSet, ...others] = await world.replicaSets();
  assert.deepEqual(others, []);
  const hash = replicaSet?.metadata.labels?.["pod-template-hash"];
  assert.equal(replicaSet?.metadata.name, `web-${hash}`);
  assert.deepEqual(replicaSet?.metadata.annotations, {
    "deployment.kubernetes.io/desired-replicas": "3",
    "deployment.kubernetes.io/max-replicas": "4",
    "deployment.kubernetes.io/revision": "1",
  });
  const { conditions, ...numbers } = done.status ?? {};
  assert.deepEqual(numbers, {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
  });
  assert.deepEqual(
    conditions?.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`),
    [
      "Available=True MinimumReplicasAvailable: Deployment has minimum availability.",
      `Progressing=True NewReplicaSetAvailable: ReplicaSet "web-${hash}" has successfully progressed.`,
    ],
  );
  const names = (await world.pods()).map(({ metadata }) => metadata.name ?? "");
  assert.equal(names.length, 3);
  for (const name of names) assert.match(name, new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
  await world.pass(1);
  const events = await world.events();
  assert.ok(events.includes(`ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 3`));
  for (const name of names) assert.ok(events.includes(`SuccessfulCreate: Created pod: ${name}`));
});

test("nothing is written once all is well", async () => {
  await using world = await workloadWorld();
  await world.client.for(apps.Deployment).create(web());
  await world.until(() => world.deployment("web"), isComplete);
  await world.pass(5);
  world.requests.length = 0;
  await world.pass(700);
  assert.deepEqual(
    world.requests.filter((request) => !request.startsWith("GET")),
    [],
  );
});

test("another image is rolled out, and undone by the old template, whose ReplicaSet returns with a new revision", async () => {
  await using world = await workloadWorld();
  const deployments = world.client.for(apps.Deployment);
  const first = await deployments.create(web());
  await world.until(() => world.deployment("web"), isComplete);
  await deployments.patch(WEB, image("run:2"));
  await world.until(() => world.deployment("web"), isComplete);
  assert.deepEqual(
    (await world.pods()).map(({ spec }) => spec?.containers[0]?.image),
    ["run:2", "run:2", "run:2"],
  );
  await deployments.patch(WEB, { merge: { spec: { template: first.spec?.template } } });
  const undone = await world.until(() => world.deployment("web"), isComplete);
  assert.equal(undone.metadata.annotations?.["deployment.kubernetes.io/revision"], "3");
  const replicaSets = await world.replicaSets();
  assert.equal(replicaSets.length, 2);
  const back = replicaSets.find(({ spec }) => spec?.replicas === 3);
  assert.equal(back?.metadata.annotations?.["deployment.kubernetes.io/revision"], "3");
  assert.equal(back?.metadata.annotations?.["deployment.kubernetes.io/revision-history"], "1");
});

test("an image that cannot be had leaves enough old pods, and is told when the deadline has passed", async () => {
  await using world = await workloadWorld();
  const deployments = world.client.for(apps.Deployment);
  await deployments.create(web({ progressDeadlineSeconds: 30 }));
  await world.until(() => world.deployment("web"), isComplete);
  await deployments.patch(WEB, image("missing:1"));
  const late = await world.until(
    () => world.deployment("web"),
    ({ status }) => status?.conditions?.some(({ reason }) => reason === "ProgressDeadlineExceeded") === true,
  );
  const { conditions, ...numbers } = late.status ?? {};
  assert.deepEqual(numbers, {
    observedGeneration: 2,
    replicas: 4,
    updatedReplicas: 1,
    readyReplicas: 3,
    availableReplicas: 3,
    unavailableReplicas: 1,
    terminatingReplicas: 0,
  });
  assert.equal(conditions?.find(({ type }) => type === "Progressing")?.status, "False");
  await deployments.patch(WEB, image("run:1"));
  await world.until(() => world.deployment("web"), isComplete);
});

test("Recreate makes no new pod before the last old one is gone", async () => {
  await using world = await workloadWorld();
  const deployments = world.client.for(apps.Deployment);
  await deployments.create(web({ strategy: { type: "Recreate" } }));
  await world.until(() => world.deployment("web"), isComplete);
  await deployments.patch(WEB, image("run:2"));
  const seen = new Set<string>();
  await world.until(async () => {
    const images = new Set((await world.pods()).map(({ spec }) => spec?.containers[0]?.image ?? ""));
    seen.add([...images].sort().join(" "));
    return world.deployment("web");
  }, isComplete);
  assert.ok(!seen.has("run:1 run:2"), [...seen].join(", "));
});

test("a paused Deployment is scaled but not rolled out, until it is resumed", async () => {
  await using world = await workloadWorld();
  const deployments = world.client.for(apps.Deployment);
  await deployments.create(web());
  await world.until(() => world.deployment("web"), isComplete);
  await deployments.patch(WEB, { merge: { spec: { paused: true, replicas: 5 } } });
  await deployments.patch(WEB, image("run:2"));
  const paused = await world.until(
    () => world.deployment("web"),
    ({ status }) => status?.availableReplicas === 5 && status.observedGeneration === 3,
  );
  assert.equal(paused.status?.updatedReplicas, undefined);
  assert.equal(paused.status?.conditions?.find(({ type }) => type === "Progressing")?.reason, "DeploymentPaused");
  await deployments.patch(WEB, { merge: { spec: { paused: null } } });
  await world.until(() => world.deployment("web"), isComplete);
  assert.deepEqual([...new Set((await world.pods()).map(({ spec }) => spec?.containers[0]?.image))], ["run:2"]);
});

test("the history is kept as long as it should be, and no longer", async () => {
  await using world = await workloadWorld();
  const deployments = world.client.for(apps.Deployment);
  await deployments.create(web({ revisionHistoryLimit: 1 }));
  for (const version of [2, 3, 4]) {
    await world.until(() => world.deployment("web"), isComplete);
    await deployments.patch(WEB, image(`run:${version}`));
  }
  await world.until(() => world.deployment("web"), isComplete);
  const left = await world.until(
    () => world.replicaSets(),
    (all) => all.length === 2,
  );
  const images = new Set(left.map(({ spec }) => spec?.template?.spec?.containers[0]?.image));
  assert.deepEqual(images, new Set(["run:3", "run:4"]));
});

test("a ReplicaSet that nobody controls is taken in, and one whose labels change is let go", async () => {
  await using world = await workloadWorld();
  const deployments = world.client.for(apps.Deployment);
  await deployments.create(web());
  await world.until(() => world.deployment("web"), isComplete);
  await deployments.delete(WEB, { propagation: "Orphan" });
  const [orphan] = await world.until(
    () => world.replicaSets(),
    (all) => all.length === 1 && (all[0]?.metadata.ownerReferences?.length ?? 0) === 0,
  );
  await world.pass(1);
  await deployments.create(web());
  await world.until(() => world.deployment("web"), isComplete);
  const [adopted] = await world.replicaSets();
  assert.equal(adopted?.metadata.uid, orphan?.metadata.uid);
  assert.equal(adopted?.metadata.ownerReferences?.[0]?.kind, "Deployment");
  await world.client
    .for(apps.ReplicaSet)
    .patch({ ...WEB, name: adopted?.metadata.name ?? "" }, { merge: { metadata: { labels: { app: "other" } } } });
  await world.until(
    () => world.replicaSets(),
    (all) => all.find(({ metadata }) => metadata.uid === orphan?.metadata.uid)?.metadata.ownerReferences === undefined,
  );
});
