import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { FakeCluster } from "../controllers/testing/fake-cluster.ts";
import { fakeResource } from "../controllers/testing/fake-resource.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { defaultIngressClass } from "./default-ingress-class.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { priority } from "./priority.ts";
import { serviceAccount } from "./service-account.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";
import { attributesFor } from "./testing/attributes.ts";

const random = seededRandom();
const pods = fakeResource("Pod");
const limitRanges = fakeResource("LimitRange");
const accounts = fakeResource("ServiceAccount");
const nodes = fakeResource("Node", { namespaced: false });
const ingresses = fakeResource("Ingress", { group: "networking.k8s.io" });
const ingressClasses = fakeResource("IngressClass", { group: "networking.k8s.io", namespaced: false });
const priorityClasses = fakeResource("PriorityClass", { group: "scheduling.k8s.io", namespaced: false });

function world() {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [pods, limitRanges, accounts, ingresses, ingressClasses, priorityClasses]);
  return { clock, cluster };
}

function pod(resources: JsonObject, spec: JsonObject = {}): KubeObject {
  const containers = ["c", "d"].map((name) => ({ name, resources: structuredClone(resources) }));
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "ns" }, spec: { containers, ...spec } };
}

/** Runs a plugin on the creation of an object; returns what was refused, without the part that names the object. */
async function refusal(plugin: AdmissionPlugin, object: KubeObject, resource = pods): Promise<string | undefined> {
  const attributes = attributesFor(resource, "CREATE", object);
  try {
    await plugin.mutate?.(attributes);
    await plugin.validate?.(attributes);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.code, 403);
    return error.message.replace(/^.*? is forbidden: /, "");
  }
}

async function withLimits(...limits: JsonObject[]): Promise<AdmissionPlugin> {
  const { cluster } = world();
  const metadata = { name: "l", namespace: "ns" };
  await cluster.create(limitRanges, { apiVersion: "v1", kind: "LimitRange", metadata, spec: { limits } });
  return limitRanger(cluster);
}

test("containers get the default requests and limits of a limit range, and an annotation tells", async () => {
  const plugin = await withLimits({ type: "Container", default: { cpu: "200m" }, defaultRequest: { cpu: "100m" } });
  const made = pod({ limits: { memory: "10Mi" } });
  assert.equal(await refusal(plugin, made), undefined);
  const [container] = (made.spec as { containers: JsonObject[] }).containers;
  assert.deepEqual(container?.resources, { limits: { memory: "10Mi", cpu: "200m" }, requests: { cpu: "100m" } });
  assert.equal(
    made.metadata.annotations?.["kubernetes.io/limit-ranger"],
    "LimitRanger plugin set: cpu request for container c; cpu limit for container c; cpu request for container d; cpu limit for container d",
  );
});

test("everything in which a pod breaks a limit range is told at once", async () => {
  const plugin = await withLimits({
    type: "Container",
    min: { cpu: "50m" },
    max: { cpu: "500m" },
    maxLimitRequestRatio: { cpu: "3" },
  });
  assert.equal(
    await refusal(plugin, pod({ limits: { cpu: "1" }, requests: { cpu: "10m" } })),
    "[minimum cpu usage per Container is 50m, but request is 10m, maximum cpu usage per Container is 500m, but limit is 1, " +
      "cpu max limit to request ratio per Container is 3, but provided ratio is 100.000000]",
  );
});

test("limits of the type Pod hold for the sum of its containers", async () => {
  const plugin = await withLimits({ type: "Pod", max: { memory: "300Mi" } });
  assert.equal(
    await refusal(plugin, pod({ limits: { memory: "200Mi" } })),
    "maximum memory usage per Pod is 300Mi, but limit is 400Mi",
  );
  assert.equal(await refusal(plugin, pod({})), "maximum memory usage per Pod is 300Mi.  No limit is specified");
  assert.equal(await refusal(plugin, pod({ limits: { memory: "150Mi" } })), undefined);
});

test("a pod runs as the default account of its namespace unless it names another that exists", async () => {
  const { clock, cluster } = world();
  const metadata = { name: "default", namespace: "ns" };
  await cluster.create(accounts, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata,
    imagePullSecrets: [{ name: "s" }],
  });
  const plugin = serviceAccount(cluster, clock, random);
  const made = pod({});
  assert.equal(await refusal(plugin, made), undefined);
  const { serviceAccountName, imagePullSecrets } = made.spec as JsonObject;
  assert.deepEqual(
    { serviceAccountName, imagePullSecrets },
    { serviceAccountName: "default", imagePullSecrets: [{ name: "s" }] },
  );
  assert.equal(
    await refusal(plugin, pod({}, { serviceAccountName: "nope" })),
    'error looking up service account ns/nope: serviceaccount "nope" not found',
  );
});

test("containers get the account's token where they mount nothing else, unless somebody says no", async () => {
  const { clock, cluster } = world();
  const metadata = { name: "default", namespace: "ns" };
  await cluster.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  const plugin = serviceAccount(cluster, clock, random);
  const path = "/var/run/secrets/kubernetes.io/serviceaccount";
  const made = pod(
    {},
    { containers: [{ name: "a" }, { name: "b", volumeMounts: [{ name: "own", mountPath: path }] }] },
  );
  assert.equal(await refusal(plugin, made), undefined);
  const { containers, volumes } = made.spec as { containers: JsonObject[]; volumes: JsonObject[] };
  assert.equal(volumes.length, 1);
  const { name } = volumes[0] as { name: string };
  assert.match(name, /^kube-api-access-[bcdfghjklmnpqrstvwxz2-9]{5}$/);
  assert.deepEqual(containers[0]?.volumeMounts, [{ name, readOnly: true, mountPath: path }]);
  assert.deepEqual(containers[1]?.volumeMounts, [{ name: "own", mountPath: path }]);
  const without = pod({}, { containers: [{ name: "a" }], automountServiceAccountToken: false });
  assert.equal(await refusal(plugin, without), undefined);
  assert.equal((without.spec as JsonObject).volumes, undefined);
});

test("a pod waits a moment for the default account of a new namespace", async () => {
  const { clock, cluster } = world();
  const plugin = serviceAccount(cluster, clock, random);
  const waiting = refusal(plugin, pod({}));
  const metadata = { name: "default", namespace: "ns" };
  await cluster.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  assert.equal(await waiting, undefined);
  await cluster.delete(accounts, "ns", "default");
  const inVain = refusal(plugin, pod({}));
  clock.advance(1_000);
  assert.equal(await inVain, 'error looking up service account ns/default: serviceaccount "default" not found');
  assert.equal(clock.pending, 0);
});

test("a priority class becomes a priority", async () => {
  const { cluster } = world();
  const make = (name: string, value: number, more: JsonObject = {}) =>
    cluster.create(priorityClasses, {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name },
      value,
      ...more,
    });
  const plugin = priority(cluster);
  const computed = async (spec: JsonObject): Promise<Json | undefined> => {
    const made = pod({}, spec);
    const refused = await refusal(plugin, made);
    const { priority: value, preemptionPolicy, priorityClassName } = made.spec as JsonObject;
    return refused ?? [value ?? null, preemptionPolicy ?? null, priorityClassName ?? null];
  };
  assert.deepEqual(await computed({}), [0, "PreemptLowerPriority", null]);
  assert.equal(await computed({ priorityClassName: "nope" }), "no PriorityClass with name nope was found");
  await make("high", 100, { preemptionPolicy: "Never" });
  assert.deepEqual(await computed({ priorityClassName: "high" }), [100, "Never", "high"]);
  assert.equal(
    await computed({ priorityClassName: "high", priority: 7 }),
    "the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 100 from the given PriorityClass name",
  );
  const usual = await make("usual", 5, { globalDefault: true });
  assert.deepEqual(await computed({}), [5, "PreemptLowerPriority", "usual"]);
  const another = { ...usual, metadata: { name: "another" } };
  assert.equal(
    await refusal(plugin, another, priorityClasses),
    "PriorityClass usual is already marked as default. Only one default can exist",
  );
});

test("pods tolerate trouble with their node for five minutes unless they say otherwise", async () => {
  const own = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 1 };
  const made = pod({}, { tolerations: [own] });
  assert.equal(await refusal(defaultTolerationSeconds, made), undefined);
  assert.deepEqual((made.spec as JsonObject).tolerations, [
    own,
    { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
  ]);
});

test("a new node is not ready, which is said once", async () => {
  const own = { key: "dedicated", value: "x", effect: "NoSchedule" };
  const node: KubeObject = { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, spec: { taints: [own] } };
  for (let round = 0; round < 2; round++) {
    assert.equal(await refusal(taintNodesByCondition, node, nodes), undefined);
    const taints = [own, { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }];
    assert.deepEqual((node.spec as JsonObject).taints, taints);
  }
});

test("an ingress without a class gets the newest default one", async () => {
  const { clock, cluster } = world();
  const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" };
  for (const name of ["old", "new"]) {
    await cluster.create(ingressClasses, {
      apiVersion: "networking.k8s.io/v1",
      kind: "IngressClass",
      metadata: { name, annotations },
    });
    clock.advance(1_000);
  }
  const classOf = async (spec: JsonObject, more = {}): Promise<Json | undefined> => {
    const made: KubeObject = {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "i", namespace: "ns", ...more },
      spec,
    };
    await refusal(defaultIngressClass(cluster), made, ingresses);
    return (made.spec as JsonObject).ingressClassName;
  };
  assert.equal(await classOf({}), "new");
  assert.equal(await classOf({ ingressClassName: "mine" }), "mine");
  assert.equal(await classOf({}, { annotations: { "kubernetes.io/ingress.class": "x" } }), undefined);
});
