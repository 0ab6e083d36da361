import { conflict, StatusError } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { CallOptions, Client, JsonPatchOperation } from "../client/client.ts";
import { isInvalid, isMissing } from "../client/error-kinds.ts";

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
 * Takes the finalizer off this very object, whatever else of it was changed meanwhile: a deletion cannot be taken back, and who
 * changes a deleted object all the time must not keep it alive. The object afterwards, or undefined when it is gone: because this
 * was the last finalizer of a deleted object, or because it was gone before. A conflict (409, decide anew) when the finalizers were
 * changed, or when another object has the name now.
 */
export async function removeFinalizer<T extends ApiObject>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  finalizer: string,
  options: CallOptions = {},
): Promise<Immutable<T> | undefined> {
  const { finalizers = [], uid } = object.metadata;
  const index = finalizers.indexOf(finalizer);
  if (index < 0) return object;
  const ref = refTo(object);
  const path = `/metadata/finalizers/${index}`;
  const json: readonly JsonPatchOperation[] = [
    { op: "test", path: "/metadata/uid", value: uid },
    { op: "test", path, value: finalizer },
    { op: "remove", path },
  ];
  try {
    const written = await client.for(resource).patch(ref, { json }, options);
    const { finalizers: left = [], deletionTimestamp } = written.metadata;
    return deletionTimestamp !== undefined && left.length === 0 ? undefined : written;
  } catch (error) {
    if (isMissing(error, resource, ref)) return undefined;
    throw testFailed(error) ? changedMeanwhile(resource, ref) : error;
  }
}

/** The server does not say which operation of a JSON patch it could not do; of an object that breaks a rule it says the field. */
function testFailed(error: unknown): boolean {
  return error instanceof StatusError && isInvalid(error) && (error.details?.causes ?? []).length === 0;
}

function changedMeanwhile({ group, plural }: Resource, { name }: ObjectRef): StatusError {
  return conflict({ group, resource: plural }, name, "its finalizers were changed, or another object has its name now");
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
