import { deepEqual } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import type { CallOptions, Client } from "@gatewright/runtime";

type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : never;

export interface WriteStatusOptions extends CallOptions {
  /** Written together with the status, for kinds whose status tells part of itself there. Default: as they are. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes a status, over this very version of the object (409 otherwise), unless it is there already. Returns the object as it is
 * afterwards.
 */
export async function writeStatus<T extends ApiObject & { status?: unknown }>(
  client: Client,
  resource: Resource<T>,
  object: Immutable<T>,
  status: Immutable<StatusOf<T>>,
  { signal, annotations = object.metadata.annotations }: WriteStatusOptions = {},
): Promise<Immutable<T>> {
  const isSaid = deepEqual(status as unknown as Json, (object.status ?? {}) as unknown as Json);
  if (isSaid && deepEqual(annotations, object.metadata.annotations)) return object;
  const metadata = annotations === undefined ? object.metadata : { ...object.metadata, annotations };
  return client.for(resource).status.update({ ...object, metadata, status }, signal === undefined ? {} : { signal });
}
