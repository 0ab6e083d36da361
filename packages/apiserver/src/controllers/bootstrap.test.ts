import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { bootstrapObjects, ensureObjects } from "./bootstrap.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { namespaceResource } from "./testing/fake-namespace.ts";
import { fakeResource } from "./testing/fake-resource.ts";

function world() {
  return new FakeCluster(new ManualClock(), [
    namespaceResource(),
    fakeResource("Service"),
    { ...fakeResource("Endpoint"), kind: "Endpoints" },
    fakeResource("EndpointSlice", { group: "discovery.k8s.io" }),
    fakeResource("PriorityClass", { group: "scheduling.k8s.io", namespaced: false }),
  ]);
}

const options = { serviceIp: "10.0.0.1", port: 6443 };

test("a cluster starts with its namespaces, priority classes and the kubernetes service", async () => {
  const cluster = world();
  await ensureObjects(cluster, bootstrapObjects(options));
  const names = [...cluster.list({ group: "", resource: "namespaces" })].map((o) => o.metadata.name);
  assert.deepEqual(names, ["default", "kube-node-lease", "kube-public", "kube-system"]);
  assert.ok(cluster.get({ group: "", resource: "services" }, "default", "kubernetes"));
  assert.equal([...cluster.list({ group: "scheduling.k8s.io", resource: "priorityclasses" })].length, 2);
});

test("what is there already stays as it is", async () => {
  const cluster = world();
  await ensureObjects(cluster, bootstrapObjects(options));
  const { revision } = cluster.store;
  await ensureObjects(cluster, bootstrapObjects(options));
  assert.equal(cluster.store.revision, revision);
});

test("a server that others can reach has endpoints, one on loopback has none", () => {
  const kinds = (advertiseAddress: string): string[] =>
    bootstrapObjects({ ...options, advertiseAddress }).map(({ object }) => object.kind);
  assert.ok(kinds("192.0.2.2").includes("EndpointSlice"));
  assert.ok(!kinds("127.0.0.1").includes("EndpointSlice"));
});
