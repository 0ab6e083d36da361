import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { servedFor } from "./recorded/replay.ts";

test("an empty list of managed fields gets as far as the writer, one in a template does not", () => {
  const kind = { apiVersion: "apps/v1", kind: "Deployment" };
  const metadata = { name: "a", managedFields: [] };
  const { object } = servedFor(kind).version.decode({ ...kind, metadata, spec: { template: { metadata } } });
  assert.deepEqual(object.metadata, metadata);
  const template = (object["spec"] as JsonObject)["template"] as JsonObject;
  assert.deepEqual(template["metadata"], { name: "a" });
  assert.deepEqual(servedFor(kind).version.decode({ ...kind, metadata: { name: "a" } }).object.metadata, { name: "a" });
});
