import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { structs, struct, text } from "../resources/object-fields.ts";
import { CRDS } from "./crd-resource.ts";
import { startCrdCluster, widgetCrd } from "./testing/crd-cluster.ts";

const WIDGETS = { group: "example.com", resource: "widgets" };
const widget = (name: string, over: JsonObject = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name, namespace: "default" },
  ...over,
});
const conditions = (crd: KubeObject | undefined): string[] =>
  structs(struct(crd, "status"), "conditions").map(
    (c) => `${text(c, "type")}=${text(c, "status")} ${text(c, "reason")}`,
  );

test("a definition is established and served once the controller has seen it", async () => {
  const { cluster, controller, reports } = startCrdCluster();
  await cluster.create(CRDS, widgetCrd());
  await controller.idle();
  const crd = cluster.get(CRDS, "", "widgets.example.com");
  assert.deepEqual(conditions(crd), ["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]);
  assert.deepEqual(struct(crd, "status")?.["acceptedNames"], {
    plural: "widgets",
    singular: "widget",
    kind: "Widget",
    listKind: "WidgetList",
  });
  assert.deepEqual(struct(crd, "status")?.["storedVersions"], ["v1"]);
  const served = cluster.resources.served("example.com", "v1", "widgets");
  assert.equal(served?.resource.kind, "Widget");
  assert.deepEqual(reports, []);
  await controller.stop();
});

test("objects are defaulted, counted by generation and validated by the schema of their definition", async () => {
  const { cluster, controller } = startCrdCluster();
  const spec: JsonObject = {
    type: "object",
    properties: { size: { type: "integer", maximum: 3 }, color: { type: "string", default: "red" } },
  };
  await cluster.create(CRDS, widgetCrd({ type: "object", properties: { spec } }));
  await controller.idle();
  const made = await cluster.create(WIDGETS, widget("a", { spec: { size: 1, nope: true } }));
  assert.deepEqual(made["spec"], { size: 1, color: "red" });
  assert.equal(made.metadata.generation, 1);
  const changed = await cluster.edit(WIDGETS, "default", "a", (object) => void (object["spec"] = { size: 2 }));
  assert.equal(changed?.metadata.generation, 2);
  await assert.rejects(cluster.create(WIDGETS, widget("b", { spec: { size: 4 } })), {
    code: 422,
    message:
      'Widget.example.com "b" is invalid: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3',
  });
  await controller.stop();
});

test("a definition whose names are taken waits for them", async () => {
  const { cluster, controller } = startCrdCluster();
  await cluster.create(CRDS, widgetCrd());
  const names = { plural: "gadgets", singular: "widget", kind: "Widget", listKind: "GadgetList" };
  const rival = widgetCrd(undefined, { names });
  rival.metadata.name = "gadgets.example.com";
  await controller.idle();
  await cluster.create(CRDS, rival);
  await controller.idle();
  const refused = cluster.get(CRDS, "", "gadgets.example.com");
  assert.deepEqual(conditions(refused), ["NamesAccepted=False KindConflict", "Established=False NotAccepted"]);
  assert.equal(cluster.resources.served("example.com", "v1", "gadgets"), undefined);
  await cluster.delete(CRDS, "", "widgets.example.com");
  await controller.idle();
  const accepted = cluster.get(CRDS, "", "gadgets.example.com");
  assert.deepEqual(conditions(accepted), ["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]);
  assert.equal(cluster.resources.served("example.com", "v1", "gadgets")?.resource.kind, "Widget");
  await controller.stop();
});

test("a deleted definition takes its objects with it and waits for their finalizers", async () => {
  const { cluster, controller, reports } = startCrdCluster();
  await cluster.create(CRDS, widgetCrd());
  await controller.idle();
  await cluster.create(WIDGETS, widget("free"));
  const held = widget("held");
  held.metadata.finalizers = ["example.com/hold"];
  await cluster.create(WIDGETS, held);
  await cluster.delete(CRDS, "", "widgets.example.com");
  await controller.idle();
  assert.deepEqual(
    [...cluster.list(WIDGETS)].map((w) => w.metadata.name),
    ["held"],
  );
  const crd = cluster.get(CRDS, "", "widgets.example.com");
  assert.deepEqual(crd?.metadata.finalizers, ["customresourcecleanup.apiextensions.k8s.io"]);
  assert.ok(conditions(crd).includes("Terminating=True InstanceDeletionInProgress"));
  await assert.rejects(cluster.create(WIDGETS, widget("late")), (error) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, 403);
    assert.match(error.message, /create not allowed while custom resource definition is terminating$/);
    return true;
  });
  await cluster.edit(WIDGETS, "default", "held", (object) => void delete object.metadata.finalizers);
  await controller.idle();
  assert.equal(cluster.get(CRDS, "", "widgets.example.com"), undefined);
  assert.equal(cluster.resources.get(WIDGETS), undefined);
  assert.deepEqual(reports, []);
  await controller.stop();
});

test("definitions that are established already are served when the controller has started", async () => {
  const first = startCrdCluster();
  await first.cluster.create(CRDS, widgetCrd());
  await first.controller.idle();
  await first.controller.stop();
  const second = startCrdCluster({ store: first.store });
  assert.equal(second.cluster.resources.served("example.com", "v1", "widgets")?.resource.kind, "Widget");
  await second.controller.stop();
});

test("objects that were stored under an older schema are read with the new one's defaults", async () => {
  const { cluster, controller } = startCrdCluster();
  const crd = await cluster.create(CRDS, widgetCrd({ type: "object", properties: { spec: { type: "object" } } }));
  await controller.idle();
  await cluster.create(WIDGETS, widget("old", { spec: {} }));
  assert.equal(cluster.resources.get(WIDGETS)?.servesStoredBytes("v1"), true);
  const spec = { type: "object", properties: { color: { type: "string", default: "red" } } };
  const next = widgetCrd({ type: "object", properties: { spec } });
  await cluster.edit(CRDS, "", crd.metadata.name ?? "", (object) => void (object["spec"] = next["spec"]!));
  await controller.idle();
  const resource = cluster.resources.get(WIDGETS);
  assert.equal(resource?.servesStoredBytes("v1"), false);
  const [read] = (await resource?.convert([...cluster.list(WIDGETS)], "v1")) ?? [];
  assert.deepEqual(read?.["spec"], { color: "red" });
  await controller.stop();
});
