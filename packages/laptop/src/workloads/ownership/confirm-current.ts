import { conflict } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { CallOptions, Client } from "@gatewright/runtime";

export interface ConfirmOptions extends CallOptions {
  /** Whether the status must be as the cache shows it, too. Default: false. */
  readonly exact?: boolean;
}

/**
 * Asks the server whether it still has this very object, with the spec that the cache shows and nobody having deleted it; rejects
 * with a conflict otherwise, so that it is decided anew. To be asked before pods are made or deleted: a cache can be old, and what is
 * done by an old spec are pods too many or too few.
 */
export async function confirmCurrent<T extends ApiObject>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  options: ConfirmOptions = {},
): Promise<void> {
  const { namespace, name = "", uid, generation } = object.metadata;
  const ref: ObjectRef = namespace === undefined ? { name } : { namespace, name };
  const live = (await client.for(resource).find(ref, options))?.metadata;
  if (live?.uid !== uid) throw staleCache(resource, name);
  if (live?.generation !== generation || live?.deletionTimestamp !== object.metadata.deletionTimestamp) {
    throw staleCache(resource, name);
  }
  if (options.exact === true && live?.resourceVersion !== object.metadata.resourceVersion)
    throw staleCache(resource, name);
}

/** What is known of an object, or of its pods, is not what the server has (yet). */
export function staleCache({ group, plural }: Resource, name: string): Error {
  return conflict({ group, resource: plural }, name, "the cache is not up to date yet");
}
