import assert from "node:assert/strict";
import { test } from "node:test";
import type { GroupResource } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { startRootCaPublisher } from "./root-ca-publisher.ts";
import { startServiceAccountController } from "./service-account-controller.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { NAMESPACES, createNamespace, namespaceResource } from "./testing/fake-namespace.ts";
import { fakeResource } from "./testing/fake-resource.ts";

const ACCOUNTS: GroupResource = { group: "", resource: "serviceaccounts" };
const CONFIG_MAPS: GroupResource = { group: "", resource: "configmaps" };

function world() {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [
    namespaceResource(),
    fakeResource("ServiceAccount"),
    fakeResource("ConfigMap"),
  ]);
  return { clock, cluster, deps: { clock, report: () => {} } };
}

test("every namespace gets a default service account, also those that were there before", async () => {
  const { cluster, deps } = world();
  await createNamespace(cluster, "before");
  const controller = startServiceAccountController(cluster, deps);
  await createNamespace(cluster, "after");
  await controller.idle();
  assert.ok(cluster.get(ACCOUNTS, "before", "default"));
  assert.ok(cluster.get(ACCOUNTS, "after", "default"));
});

test("a default service account that is deleted comes back, except where the namespace goes", async () => {
  const { cluster, deps } = world();
  const controller = startServiceAccountController(cluster, deps);
  await createNamespace(cluster, "ns");
  await controller.idle();
  await cluster.delete(ACCOUNTS, "ns", "default");
  await controller.idle();
  assert.ok(cluster.get(ACCOUNTS, "ns", "default"));
  await cluster.delete(NAMESPACES, "", "ns");
  await cluster.delete(ACCOUNTS, "ns", "default");
  await controller.idle();
  assert.equal(cluster.get(ACCOUNTS, "ns", "default"), undefined);
});

test("the certificate authority is published and kept as it is", async () => {
  const { cluster, deps } = world();
  const controller = startRootCaPublisher(cluster, deps, "PEM");
  await createNamespace(cluster, "ns");
  await controller.idle();
  assert.deepEqual(cluster.get(CONFIG_MAPS, "ns", "kube-root-ca.crt")?.data, { "ca.crt": "PEM" });
  await cluster.edit(CONFIG_MAPS, "ns", "kube-root-ca.crt", (o) => void (o.data = { "ca.crt": "evil", more: "" }));
  await controller.idle();
  assert.deepEqual(cluster.get(CONFIG_MAPS, "ns", "kube-root-ca.crt")?.data, { "ca.crt": "PEM" });
});
