import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError, getPath } from "@gatewright/kube";
import type { GroupResource, JsonObject } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { startNamespaceController } from "./namespace-controller.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { NAMESPACES, createNamespace, namespaceResource } from "./testing/fake-namespace.ts";
import { fakeResource } from "./testing/fake-resource.ts";

const PODS: GroupResource = { group: "", resource: "pods" };
const WIDGETS: GroupResource = { group: "example.com", resource: "widgets" };

async function world() {
  const clock = new ManualClock();
  const resources = [namespaceResource(), fakeResource("Widget", { group: "example.com" }), fakeResource("Pod")];
  const cluster = new FakeCluster(clock, resources);
  const controller = startNamespaceController(cluster, { clock, report: () => {} });
  await createNamespace(cluster, "ns");
  const make = (resource: GroupResource, name: string, finalizers: string[] = [], namespace = "ns") =>
    cluster.create(resource, { apiVersion: "v1", kind: "X", metadata: { name, namespace, finalizers } });
  const release = (resource: GroupResource, name: string) =>
    cluster.edit(resource, "ns", name, (o) => void (o.metadata.finalizers = []));
  const condition = (type: string): JsonObject | undefined => {
    const conditions = getPath(cluster.get(NAMESPACES, "", "ns"), "status", "conditions") as JsonObject[] | undefined;
    return conditions?.find((c) => c.type === type);
  };
  return { clock, cluster, controller, make, release, condition };
}

test("a deleted namespace takes its content with it, and nothing else", async () => {
  const { cluster, controller, make } = await world();
  await make(PODS, "pod");
  await make(WIDGETS, "widget");
  await make(WIDGETS, "other", [], "ns-2");
  await cluster.delete(NAMESPACES, "", "ns");
  await controller.idle();
  assert.equal(cluster.get(NAMESPACES, "", "ns"), undefined);
  assert.deepEqual([...cluster.list(PODS)], []);
  assert.deepEqual(
    [...cluster.list(WIDGETS)].map((o) => o.metadata.name),
    ["other"],
  );
});

test("pods go first: as long as one remains, the rest stays", async () => {
  const { cluster, controller, make, release } = await world();
  await make(PODS, "pod", ["example.com/wait"]);
  await make(WIDGETS, "widget");
  await cluster.delete(NAMESPACES, "", "ns");
  await controller.idle();
  assert.equal([...cluster.list(WIDGETS)].length, 1);
  await release(PODS, "pod");
  await controller.idle();
  assert.equal([...cluster.list(WIDGETS)].length, 0);
  assert.equal(cluster.get(NAMESPACES, "", "ns"), undefined);
});

test("the conditions tell what the namespace waits for", async () => {
  const { clock, cluster, controller, make, release, condition } = await world();
  await make(WIDGETS, "a", ["example.com/wait"]);
  await make(WIDGETS, "b", ["example.com/wait", "example.com/too"]);
  await cluster.delete(NAMESPACES, "", "ns");
  await controller.idle();
  assert.deepEqual(condition("NamespaceContentRemaining"), {
    type: "NamespaceContentRemaining",
    status: "True",
    lastTransitionTime: "2030-01-01T00:00:00Z",
    reason: "SomeResourcesRemain",
    message: "Some resources are remaining: widgets.example.com has 2 resource instances",
  });
  assert.equal(
    condition("NamespaceFinalizersRemaining")?.message,
    "Some content in the namespace has finalizers remaining: " +
      "example.com/too in 1 resource instances, example.com/wait in 2 resource instances",
  );
  assert.equal(condition("NamespaceDeletionContentFailure")?.reason, "ContentDeleted");
  await release(WIDGETS, "a");
  clock.advance(100);
  await controller.idle();
  assert.equal(
    condition("NamespaceContentRemaining")?.message,
    "Some resources are remaining: widgets.example.com has 1 resource instances",
  );
  await release(WIDGETS, "b");
  await controller.idle();
  assert.equal(cluster.get(NAMESPACES, "", "ns"), undefined);
});

test("a deletion that is refused is told in a condition and tried again", async () => {
  const { clock, cluster, controller, make, condition } = await world();
  await make(WIDGETS, "a");
  const refused = new StatusError({ code: 403, reason: "Forbidden", message: "no way" });
  cluster.interfere = (verb, name) => (verb === "delete" && name === "a" ? refused : undefined);
  await cluster.delete(NAMESPACES, "", "ns");
  await controller.idle();
  assert.equal(
    condition("NamespaceDeletionContentFailure")?.message,
    "Failed to delete all resource types, 1 remaining: no way",
  );
  cluster.interfere = () => undefined;
  clock.advance(10);
  await controller.idle();
  assert.equal(cluster.get(NAMESPACES, "", "ns"), undefined);
});

test("another finalizer in its spec keeps an emptied namespace", async () => {
  const { cluster, controller, make } = await world();
  await make(WIDGETS, "a");
  await cluster.edit(NAMESPACES, "", "ns", (o) => void (o.spec = { finalizers: ["kubernetes", "example.com/more"] }));
  await cluster.delete(NAMESPACES, "", "ns");
  await controller.idle();
  assert.deepEqual(getPath(cluster.get(NAMESPACES, "", "ns"), "spec", "finalizers"), ["example.com/more"]);
  assert.deepEqual([...cluster.list(WIDGETS)], []);
});

test("a namespace that was being deleted when the server stopped is finished after the start", async () => {
  const { clock, cluster, controller, make } = await world();
  await controller.stop();
  await make(WIDGETS, "a");
  await cluster.delete(NAMESPACES, "", "ns");
  assert.ok(cluster.get(NAMESPACES, "", "ns"));
  await startNamespaceController(cluster, { clock, report: () => {} }).idle();
  assert.equal(cluster.get(NAMESPACES, "", "ns"), undefined);
});
