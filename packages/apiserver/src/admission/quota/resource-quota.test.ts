import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { FakeCluster } from "../../controllers/testing/fake-cluster.ts";
import { fakeResource } from "../../controllers/testing/fake-resource.ts";
import type { Resource } from "../../resources/resource.ts";
import type { AdmissionAttributes, Operation } from "../admission.ts";
import { attributesFor } from "../testing/attributes.ts";
import { resourceQuota } from "./resource-quota.ts";

const pods = fakeResource("Pod");
const configMaps = fakeResource("ConfigMap");
const services = fakeResource("Service");
const claims = fakeResource("PersistentVolumeClaim");
const quotas = fakeResource("ResourceQuota");

async function world(...specs: JsonObject[]) {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [pods, configMaps, services, claims, quotas]);
  for (const [index, spec] of specs.entries()) {
    const metadata = { name: `q${index}`, namespace: "ns" };
    await cluster.create(quotas, { apiVersion: "v1", kind: "ResourceQuota", metadata, spec });
  }
  const plugin = resourceQuota(cluster, clock);
  /** Admits a write; returns why it was refused. */
  const admit = (
    resource: Resource,
    object: KubeObject,
    operation: Operation = "CREATE",
    more: Partial<AdmissionAttributes> = {},
  ): string | undefined => {
    try {
      void plugin.validate?.(attributesFor(resource, operation, object, more));
      return undefined;
    } catch (error) {
      assert.ok(error instanceof StatusError, String(error));
      assert.equal(error.code, 403);
      return error.message.replace(/^.*? is forbidden: /, "");
    }
  };
  /** Admits and stores. */
  const create = async (resource: Resource, object: KubeObject): Promise<string | undefined> => {
    const refused = admit(resource, object);
    if (refused === undefined) await cluster.create(resource, object);
    return refused;
  };
  return { clock, cluster, admit, create };
}

function object(kind: string, name: string, more: JsonObject = {}): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "ns" }, ...more };
}

function pod(name: string, resources: JsonObject, spec: JsonObject = {}): KubeObject {
  const containers = ["c", "d"].map((container) => ({ name: container, resources }));
  return object("Pod", name, { spec: { containers, ...spec } });
}

test("objects are counted, and the one too many is refused", async () => {
  const { create, cluster } = await world({ hard: { "count/configmaps": "2" } });
  assert.equal(await create(configMaps, object("ConfigMap", "a")), undefined);
  assert.equal(await create(configMaps, object("ConfigMap", "b")), undefined);
  assert.equal(
    await create(configMaps, object("ConfigMap", "c")),
    "exceeded quota: q0, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2",
  );
  await cluster.delete(configMaps, "ns", "a");
  assert.equal(await create(configMaps, object("ConfigMap", "c")), undefined);
});

test("requests that come together cannot share the last place", async () => {
  const { admit, cluster, clock } = await world({ hard: { "count/configmaps": "3" } });
  const names = Array.from({ length: 10 }, (_, n) => `c${n}`);
  const let_through = names.filter((name) => admit(configMaps, object("ConfigMap", name)) === undefined);
  assert.deepEqual(let_through, ["c0", "c1", "c2"]);
  for (const name of let_through) await cluster.create(configMaps, object("ConfigMap", name));
  assert.equal(clock.pending, 0, "what is stored is no longer reserved");
  assert.match(admit(configMaps, object("ConfigMap", "d")) ?? "", /used: count\/configmaps=3/);
});

test("a place that was reserved for a write that never came is free again after a while", async () => {
  const { admit, clock } = await world({ hard: { "count/configmaps": "1" } });
  assert.equal(admit(configMaps, object("ConfigMap", "a")), undefined);
  assert.notEqual(admit(configMaps, object("ConfigMap", "b")), undefined);
  clock.advance(10_000);
  assert.equal(admit(configMaps, object("ConfigMap", "b")), undefined);
});

test("a dry run is judged and reserves nothing", async () => {
  const { admit } = await world({ hard: { "count/configmaps": "1" } });
  assert.equal(admit(configMaps, object("ConfigMap", "a"), "CREATE", { dryRun: true }), undefined);
  assert.equal(admit(configMaps, object("ConfigMap", "b")), undefined);
  assert.notEqual(admit(configMaps, object("ConfigMap", "c"), "CREATE", { dryRun: true }), undefined);
});

test("what pods request and may use is added up", async () => {
  const { create } = await world({ hard: { pods: "2", "requests.cpu": "1", "limits.memory": "1Gi" } });
  const small = { requests: { cpu: "100m" }, limits: { cpu: "100m", memory: "100Mi" } };
  assert.equal(await create(pods, pod("a", small)), undefined);
  assert.equal(
    await create(pods, pod("b", { requests: { cpu: "600m" }, limits: { memory: "1Gi", cpu: "600m" } })),
    "exceeded quota: q0, requested: limits.memory=2Gi,requests.cpu=1200m, used: limits.memory=200Mi,requests.cpu=200m, " +
      "limited: limits.memory=1Gi,requests.cpu=1",
  );
});

test("where cpu or memory is limited every container must say what it wants", async () => {
  const { create } = await world({ hard: { "requests.cpu": "1", "limits.memory": "1Gi" } });
  assert.equal(
    await create(pods, pod("a", {})),
    "failed quota: q0: must specify limits.memory for: c,d; requests.cpu for: c,d",
  );
});

test("pods that have ended use only their place among all pods", async () => {
  const { cluster, create } = await world({ hard: { pods: "1", "count/pods": "3" } });
  await cluster.create(pods, { ...pod("done", {}), status: { phase: "Succeeded" } });
  assert.equal(await create(pods, pod("a", {})), undefined);
  assert.equal(
    await create(pods, pod("b", {})),
    "exceeded quota: q0, requested: pods=1, used: pods=1, limited: pods=1",
  );
});

test("a quota with scopes is about the pods in them", async () => {
  const bestEffort = { hard: { pods: "0" }, scopes: ["BestEffort"] };
  const important = {
    hard: { pods: "0" },
    scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
  };
  const ending = { hard: { pods: "0" }, scopes: ["Terminating"] };
  const { admit } = await world(bestEffort, important, ending);
  const sized = { requests: { cpu: "1" } };
  assert.match(admit(pods, pod("a", {})) ?? "", /^exceeded quota: q0/);
  assert.match(admit(pods, pod("b", sized, { priorityClassName: "high" })) ?? "", /^exceeded quota: q1/);
  assert.match(admit(pods, pod("c", sized, { activeDeadlineSeconds: 5 })) ?? "", /^exceeded quota: q2/);
  assert.equal(admit(pods, pod("d", sized)), undefined);
});

test("services and claims are charged for what they become as well", async () => {
  const { cluster, admit } = await world({ hard: { "services.nodeports": "1", "requests.storage": "10Gi" } });
  const ports = [{ port: 1 }, { port: 2 }];
  const plain = object("Service", "s", { spec: { type: "ClusterIP", ports } });
  await cluster.create(services, plain);
  assert.equal(
    admit(services, { ...plain, spec: { type: "NodePort", ports } }, "UPDATE", { oldObject: plain }),
    "exceeded quota: q0, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1",
  );
  const claim = (storage: string): KubeObject =>
    object("PersistentVolumeClaim", "v", { spec: { resources: { requests: { storage } } } });
  await cluster.create(claims, claim("8Gi"));
  assert.equal(admit(claims, claim("9Gi"), "UPDATE", { oldObject: claim("8Gi") }), undefined);
  assert.equal(
    admit(claims, claim("12Gi"), "UPDATE", { oldObject: claim("8Gi") }),
    "exceeded quota: q0, requested: requests.storage=4Gi, used: requests.storage=9Gi, limited: requests.storage=10Gi",
  );
});
