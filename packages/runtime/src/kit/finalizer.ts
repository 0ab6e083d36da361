import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { CallOptions, Client } from "../client/client.ts";
import { isMissing } from "../client/error-kinds.ts";

/** A finalizer came too late: the object is being deleted, and the server takes no new ones then. */
export class BeingDeletedError extends Error {
  constructor(resource: Resource, ref: ObjectRef) {
    super(`${resource.kind} ${ref.name} is being deleted, so nothing can be made to hold it any more`);
    this.name = "BeingDeletedError";
  }
}

/**
 * The object with the finalizer on it: as it is, or as written. Written only over the version that was given, so a change by
 * somebody else is a conflict (409, decide anew) and never lost.
 */
export async function ensureFinalizer<T extends ApiObject>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  finalizer: string,
  options: CallOptions = {},
): Promise<Immutable<T>> {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  if (deletionTimestamp !== undefined) throw new BeingDeletedError(resource, refTo(object));
  return client.for(resource).patch(refTo(object), replaceFinalizers(object, [...finalizers, finalizer]), options);
}

/**
 * Takes the finalizer off, with the same guard. The object afterwards, or undefined when it is gone: because this was the last
 * finalizer of a deleted object, or because it was gone before.
 */
export async function removeFinalizer<T extends ApiObject>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  finalizer: string,
  options: CallOptions = {},
): Promise<Immutable<T> | undefined> {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  if (!finalizers.includes(finalizer)) return object;
  const left = finalizers.filter((each) => each !== finalizer);
  try {
    const written = await client.for(resource).patch(refTo(object), replaceFinalizers(object, left), options);
    return deletionTimestamp !== undefined && left.length === 0 ? undefined : written;
  } catch (error) {
    if (isMissing(error, resource, refTo(object))) return undefined;
    throw error;
  }
}

function refTo(object: Immutable<ApiObject>): ObjectRef {
  const { namespace, name = "" } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

function replaceFinalizers(object: Immutable<ApiObject>, finalizers: readonly string[]): { readonly merge: unknown } {
  const { resourceVersion } = object.metadata;
  if (resourceVersion === undefined) throw new TypeError("an object that was not read from a server has no finalizers");
  return { merge: { metadata: { resourceVersion, finalizers } } };
}
