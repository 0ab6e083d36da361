import type { ApiObject, Immutable, OwnerReference, Resource } from "@gatewright/kube";

export interface OwnerReferenceOptions {
  /** At most one owner of an object controls it. Default: true. */
  readonly controller?: boolean;
  /** Foreground deletion of the owner waits for the object. Default: true. */
  readonly blockOwnerDeletion?: boolean;
}

/** The reference by which an object says who owns it: the garbage collector deletes it once the owner is gone. */
export function ownerReference(
  owner: Immutable<ApiObject>,
  resource: Resource,
  { controller = true, blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): OwnerReference {
  const { name, uid } = owner.metadata;
  if (name === undefined || uid === undefined)
    throw new TypeError(`a ${resource.kind} that is not stored owns nothing`);
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  return { apiVersion, kind: resource.kind, name, uid, controller, blockOwnerDeletion };
}

/** The owner that controls an object, if one does. */
export function controllerOf(object: Immutable<ApiObject>): Immutable<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}
