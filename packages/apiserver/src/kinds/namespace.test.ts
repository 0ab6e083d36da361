import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@gatewright/kube";
import { create, servedFor, update } from "./recorded/replay.ts";

const { strategy } = servedFor({ apiVersion: "v1", kind: "Namespace" }).resource;

async function made(): Promise<KubeObject> {
  const namespace = await create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } });
  assert.notEqual(typeof namespace, "string");
  return namespace as KubeObject;
}

test("a namespace is held back by its spec's finalizers and shows that it goes", async () => {
  const namespace = await made();
  strategy.onDeletionMarked?.(namespace);
  assert.deepEqual(namespace["status"], { phase: "Terminating" });
  assert.equal(strategy.heldBack?.(namespace), true);
});

test("only finalize removes its finalizers", async () => {
  const namespace = { ...(await made()), metadata: { name: "a", resourceVersion: "1" } };
  const without = { ...namespace, spec: {} };
  const kept = (await update(without, namespace)) as KubeObject;
  assert.deepEqual(kept["spec"], { finalizers: ["kubernetes"] });
  const freed = (await update(without, namespace, "finalize")) as KubeObject;
  assert.equal(strategy.heldBack?.(freed), false);
});

test("its name is always among its labels", async () => {
  const namespace = { ...(await made()), metadata: { name: "a", resourceVersion: "1" } };
  const changed = (await update(namespace, namespace)) as KubeObject;
  assert.deepEqual(changed.metadata.labels, { "kubernetes.io/metadata.name": "a" });
});
