import assert from "node:assert/strict";
import { test } from "node:test";
import { getPath } from "@gatewright/kube";
import type { GroupResource } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { startResourceQuotaController } from "./resource-quota-controller.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { fakeResource } from "./testing/fake-resource.ts";

const QUOTAS: GroupResource = { group: "", resource: "resourcequotas" };
const CONFIG_MAPS: GroupResource = { group: "", resource: "configmaps" };

test("the status of a quota follows what is used", async () => {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [
    fakeResource("ResourceQuota"),
    fakeResource("ConfigMap"),
    fakeResource("Pod"),
  ]);
  const controller = startResourceQuotaController(cluster, { clock, report: () => {} });
  const hard = { "count/configmaps": "3", "requests.cpu": "1", "count/widgets.example.com": "1" };
  const metadata = { name: "q", namespace: "ns" };
  await cluster.create(QUOTAS, { apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard } });
  const used = async () => {
    await controller.idle();
    return getPath(cluster.get(QUOTAS, "ns", "q"), "status", "used");
  };
  const kinds = { "count/configmaps": "0", "requests.cpu": "0" };
  assert.deepEqual(await used(), kinds, "what nothing uses is left out");
  await cluster.create(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "ns" } });
  await cluster.create(CONFIG_MAPS, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "c", namespace: "elsewhere" },
  });
  assert.deepEqual(await used(), { ...kinds, "count/configmaps": "1" });
  const containers = [{ name: "c", resources: { requests: { cpu: "250m" } } }];
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "ns" }, spec: { containers } };
  await cluster.create({ group: "", resource: "pods" }, pod);
  assert.deepEqual(await used(), { "count/configmaps": "1", "requests.cpu": "250m" });
  await cluster.delete(CONFIG_MAPS, "ns", "c");
  assert.deepEqual(await used(), { "count/configmaps": "0", "requests.cpu": "250m" });
  cluster.resources.set(fakeResource("Widget", { group: "example.com" }));
  await cluster.edit(QUOTAS, "ns", "q", (o) => void (o.metadata.labels = { touched: "yes" }));
  assert.deepEqual(await used(), { "count/configmaps": "0", "count/widgets.example.com": "0", "requests.cpu": "250m" });
});
