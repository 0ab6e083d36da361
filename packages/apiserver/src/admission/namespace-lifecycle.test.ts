import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { FakeCluster } from "../controllers/testing/fake-cluster.ts";
import { NAMESPACES, createNamespace, namespaceResource } from "../controllers/testing/fake-namespace.ts";
import { fakeResource } from "../controllers/testing/fake-resource.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { attributesFor } from "./testing/attributes.ts";

const configMaps = fakeResource("ConfigMap");

async function world() {
  const cluster = new FakeCluster(new ManualClock(), [namespaceResource(), configMaps]);
  await createNamespace(cluster, "live");
  await createNamespace(cluster, "dying");
  await cluster.delete(NAMESPACES, "", "dying");
  const plugin = namespaceLifecycle(cluster);
  const admit = (...args: Parameters<typeof attributesFor>): StatusError | undefined => {
    try {
      void plugin.mutate?.(attributesFor(...args));
      return undefined;
    } catch (error) {
      assert.ok(error instanceof StatusError);
      return error;
    }
  };
  return { cluster, admit };
}

const inNamespace = (namespace: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace },
});

test("an object in a live namespace passes", async () => {
  const { admit } = await world();
  assert.equal(admit(configMaps, "CREATE", inNamespace("live")), undefined);
});

test("an object in a missing namespace is refused with the namespace's own 404", async () => {
  const { admit } = await world();
  assert.deepEqual(admit(configMaps, "CREATE", inNamespace("nowhere"))?.toStatus(), {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'namespaces "nowhere" not found',
    reason: "NotFound",
    details: { name: "nowhere", kind: "namespaces" },
    code: 404,
  });
});

test("a namespace that is being deleted takes changes but nothing new", async () => {
  const { admit } = await world();
  const refused = admit(configMaps, "CREATE", inNamespace("dying"));
  assert.equal(
    refused?.message,
    'configmaps "c" is forbidden: unable to create new content in namespace dying because it is being terminated',
  );
  assert.deepEqual(refused?.details, {
    name: "c",
    kind: "configmaps",
    causes: [
      { reason: "NamespaceTerminating", message: "namespace dying is being terminated", field: "metadata.namespace" },
    ],
  });
  assert.equal(admit(configMaps, "UPDATE", inNamespace("dying")), undefined);
  assert.equal(admit(configMaps, "DELETE", undefined, { oldObject: inNamespace("nowhere") }), undefined);
});

test("the system's namespaces may not be deleted", async () => {
  const { admit } = await world();
  const refused = admit(namespaceResource(), "DELETE", undefined, { name: "kube-system" });
  assert.equal(refused?.message, 'namespaces "kube-system" is forbidden: this namespace may not be deleted');
  assert.equal(admit(namespaceResource(), "DELETE", undefined, { name: "kube-node-lease" }), undefined);
});
