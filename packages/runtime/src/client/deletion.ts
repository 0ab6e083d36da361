import { getPath, isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json } from "@gatewright/kube";

/**
 * Whether an object that the server returned is on its way out but still there. Some kinds are returned once more when they are
 * gone already, so that an object in the answer proves nothing by itself.
 */
export function isHeld(object: Immutable<ApiObject>): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0 || hasNamespaceFinalizers(object);
}

/** Whether a write let go of an object that was being deleted: the answer is the last that is heard of it. */
export function endedBy(object: Immutable<ApiObject>): boolean {
  return object.metadata.deletionTimestamp !== undefined && !isHeld(object);
}

/** The uid that a Status tells of an object which is gone. */
export function uidOfStatus(status: Json): string | undefined {
  const uid = getPath(status, "details", "uid");
  return typeof uid === "string" ? uid : undefined;
}

/** Namespaces keep finalizers of their own in the spec. */
function hasNamespaceFinalizers(object: Immutable<ApiObject>): boolean {
  if (object.kind !== "Namespace" || object.apiVersion !== "v1" || !isObject(object)) return false;
  const finalizers = getPath(object, "spec", "finalizers");
  return Array.isArray(finalizers) && finalizers.length > 0;
}
