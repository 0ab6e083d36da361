import type { ManagedFieldsEntry } from "../object.ts";
import { difference, hasPath, setOfFields } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeManagers, encodeManagers } from "./managers.ts";
import type { Manager, Managers } from "./managers.ts";

const SCALE_VERSION = "autoscaling/v1";
const SCALE_REPLICAS = setOfFields([["spec", "replicas"]]);
const SCALE_REPLICAS_PATH = ["f:spec", "f:replicas"];

/** Where the replicas of a kind stand in each of its versions; null where a version has no scale, undefined if unknown. */
export type ReplicasPath = (apiVersion: string) => readonly string[] | null | undefined;

/** The managed fields of an object as its Scale shows them: only who owns the replicas. */
export function scaleManagedFields(
  parent: readonly ManagedFieldsEntry[],
  replicasPath: ReplicasPath,
): ManagedFieldsEntry[] {
  const scale: Managers = new Map();
  for (const [id, manager] of decodeManagers(parent, true) ?? []) {
    const path = replicasPath(manager.apiVersion);
    if (path && hasPath(manager.fields, elements(path))) {
      scale.set(id, { ...manager, apiVersion: SCALE_VERSION, fields: SCALE_REPLICAS });
    }
  }
  return encodeManagers(scale);
}

/**
 * The managed fields of an object after a write to its Scale: who no longer owns the Scale's replicas loses them here, and
 * who does now gets them, as a writer of `apiVersion` (and, as in kube-apiserver, without a time).
 */
export function parentManagedFields(
  parent: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  apiVersion: string,
  replicasPath: ReplicasPath,
): ManagedFieldsEntry[] {
  const before = decodeManagers(parent, true) ?? new Map<string, Manager>();
  const after = new Map(decodeManagers(scale, false) ?? []);
  const result: Managers = new Map();
  for (const [id, manager] of before) {
    const path = replicasPath(manager.apiVersion);
    if (path === undefined) continue;
    if (path === null || !hasPath(manager.fields, elements(path)) || after.delete(id)) {
      result.set(id, manager);
      continue;
    }
    const fields: FieldSet = difference(manager.fields, setOfFields([path]));
    if (fields.size > 0) result.set(id, { ...manager, fields });
  }
  const path = replicasPath(apiVersion);
  for (const [id, manager] of after) {
    if (!path || !hasPath(manager.fields, SCALE_REPLICAS_PATH)) continue;
    result.set(id, { ...manager, apiVersion, time: before.get(id)?.time, fields: setOfFields([path]) });
  }
  return encodeManagers(result);
}

function elements(path: readonly string[]): string[] {
  return path.map((name) => `f:${name}`);
}
