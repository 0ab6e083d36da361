import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { CallOptions, Client } from "../client/client.ts";

/** An object is gone, is being deleted or has another uid, though the cache does not show it yet. A later run sees it. */
export class ObjectGoneError extends Error {
  constructor(resource: Resource, ref: ObjectRef) {
    super(`${resource.kind} ${keyOf(ref)} is gone or going, so nothing is made for it any more`);
    this.name = "ObjectGoneError";
  }
}

/**
 * Asks the server whether it still has this very object and nobody has deleted it; rejects with {@link ObjectGoneError} otherwise.
 * Before something is made for an object that a cache shows: caches can be old, above all in a process that has just become leader,
 * and what is made for an object that is gone stays behind, or is deleted and made again and again.
 */
export async function confirmPresent<T extends ApiObject>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  options: CallOptions = {},
): Promise<void> {
  const { namespace, name = "", uid } = object.metadata;
  const ref: ObjectRef = namespace === undefined ? { name } : { namespace, name };
  const live = await client.for(resource).find(ref, options);
  if (live === undefined || live.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined) {
    throw new ObjectGoneError(resource, ref);
  }
}
