import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";

/**
 * The owner that controls an object, if it is of this kind. It is found by its name: when an object of that name was made anew, the
 * new one is told too, since what the old one left behind stands in its way.
 */
export function controllerOwner(object: Immutable<ApiObject>, owner: Resource): ObjectRef | undefined {
  const reference = object.metadata.ownerReferences?.find((candidate) => candidate.controller === true);
  if (reference === undefined || reference.kind !== owner.kind) return undefined;
  const slash = reference.apiVersion.indexOf("/");
  const group = slash < 0 ? "" : reference.apiVersion.slice(0, slash);
  if (group !== owner.group) return undefined;
  const { namespace } = object.metadata;
  return owner.namespaced && namespace !== undefined ? { namespace, name: reference.name } : { name: reference.name };
}
