import { parseGroupVersion } from "@gatewright/kube";
import type { KubeObject, OwnerReference } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { FOREGROUND } from "../resources/finalizers.ts";

/**
 * What a reference to an owner means for the dependent:
 * - `solid`: the owner is there and keeps it;
 * - `dangling`: the owner does not exist, or another object bears its name, or it is in another namespace;
 * - `waiting`: the owner is being deleted and waits for its dependents;
 * - `unresolvable`: the owner's kind is not served, which may change;
 * - `misplaced`: the dependent has no namespace but the owner's kind needs one, which never resolves.
 */
export type OwnerStanding = "solid" | "dangling" | "waiting" | "unresolvable" | "misplaced";

/** What a reference of an object in `namespace` (or in none) means for it now. */
export function ownerStanding(cluster: Cluster, reference: OwnerReference, namespace: string): OwnerStanding {
  const version = parseGroupVersion(reference.apiVersion);
  const resource = version && cluster.resources.byKind({ ...version, kind: reference.kind });
  if (!resource) return "unresolvable";
  if (resource.namespaced && namespace === "") return "misplaced";
  const owner = cluster.get(resource, resource.namespaced ? namespace : "", reference.name);
  if (owner === undefined || owner.metadata.uid !== reference.uid) return "dangling";
  return isDeletingWith(owner, FOREGROUND) ? "waiting" : "solid";
}

/** Whether an object is marked for deletion and held by this finalizer. */
export function isDeletingWith(object: KubeObject, finalizer: string): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  return deletionTimestamp !== undefined && finalizers !== undefined && finalizers.includes(finalizer);
}
