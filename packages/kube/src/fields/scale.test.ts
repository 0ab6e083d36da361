import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ManagedFieldsEntry } from "../object.ts";
import { parentManagedFields, scaleManagedFields } from "./scale.ts";

const replicas = { "f:spec": { "f:replicas": {} } };
const time = "2026-01-01T00:00:00Z";
const applied: ManagedFieldsEntry = {
  manager: "a",
  operation: "Apply",
  apiVersion: "apps/v1",
  time,
  fieldsType: "FieldsV1",
  fieldsV1: { "f:spec": { "f:replicas": {}, "f:selector": {} } },
};
const status: ManagedFieldsEntry = {
  manager: "c",
  operation: "Update",
  apiVersion: "apps/v1",
  time,
  fieldsType: "FieldsV1",
  fieldsV1: { "f:status": { "f:replicas": {} } },
  subresource: "status",
};
const path = (apiVersion: string) => (apiVersion === "apps/v1" ? ["spec", "replicas"] : undefined);
const scaler: ManagedFieldsEntry = {
  manager: "sc",
  operation: "Update",
  apiVersion: "autoscaling/v1",
  time,
  fieldsType: "FieldsV1",
  fieldsV1: replicas,
  subresource: "scale",
};

describe("managed fields of a Scale", () => {
  it("are those of the writers that own the replicas", () => {
    assert.deepEqual(scaleManagedFields([applied, status], path), [
      { ...applied, apiVersion: "autoscaling/v1", fieldsV1: replicas },
    ]);
  });

  it("come back to the object: the new owner has no time, the old one loses only the replicas", () => {
    const { time: _, ...timeless } = scaler;
    assert.deepEqual(parentManagedFields([applied, status], [scaler], "apps/v1", path), [
      { ...applied, fieldsV1: { "f:spec": { "f:selector": {} } } },
      { ...timeless, apiVersion: "apps/v1" },
      status,
    ]);
  });

  it("change nothing where the owner stayed, and drop writers of unknown versions", () => {
    const scale = scaleManagedFields([applied], path);
    assert.deepEqual(parentManagedFields([applied, { ...status, apiVersion: "apps/v0" }], scale, "apps/v1", path), [
      applied,
    ]);
  });
});
