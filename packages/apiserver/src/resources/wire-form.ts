import type { JsonObject, KubeObject } from "@gatewright/kube";

/** The order in which Kubernetes writes metadata. */
const METADATA_ORDER = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const;

/**
 * A copy of the object with kind, apiVersion and metadata first, and with metadata in Kubernetes' order. Lists of built-in
 * kinds leave out the first two, which {@link typePrefix} relies on.
 */
export function inWireOrder(object: KubeObject, resourceVersion = object.metadata.resourceVersion): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  const given: JsonObject = { ...metadata, ...(resourceVersion !== undefined && { resourceVersion }) };
  const ordered: JsonObject = {};
  for (const field of METADATA_ORDER) if (Object.hasOwn(given, field)) ordered[field] = given[field]!;
  return { kind, apiVersion, metadata: { ...ordered, ...given }, ...rest };
}

/** The bytes with which every stored object of a kind begins. */
export function typePrefix(kind: string, apiVersion: string): Buffer {
  return Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
}

/** A built-in object as it stands in a list: without kind and apiVersion. */
export function asListItem(object: KubeObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
