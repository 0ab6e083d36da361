import { deepFreeze, formatGroupVersion } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";

/** Changes what is kept of an object: to save memory, never to keep a secret (see {@link CachedFormOptions}). Pure. */
export type CacheTransform = <T extends ApiObject>(object: Immutable<T>, resource: Resource<T>) => Immutable<T>;

export interface CachedFormOptions {
  readonly metadataOnly: boolean;
  readonly keepManagedFields: boolean;
  /** Its result is frozen. If it throws, the object is kept as it came and `onFailure` is told. Must keep name, uid and version. */
  readonly transform: CacheTransform | undefined;
  readonly onFailure: (object: Immutable<ApiObject>, error: unknown) => void;
}

/** Makes the function from an object as the server sent it to what the cache keeps: frozen, and without what nobody reads. */
export function cachedForm<T extends ApiObject>(
  resource: Resource<T>,
  options: CachedFormOptions,
): (object: Immutable<T>) => Immutable<T> {
  const { transform } = options;
  const apiVersion = formatGroupVersion(resource);
  const trimmed = (object: Immutable<T>): Immutable<T> => {
    const metadata = options.keepManagedFields ? object.metadata : withoutManagedFields(object.metadata);
    // What was asked for as metadata comes as another kind: here it has its own again.
    if (options.metadataOnly) return Object.freeze({ apiVersion, kind: resource.kind, metadata }) as Immutable<T>;
    if (metadata === object.metadata) return object;
    return Object.freeze({ ...object, metadata }) as Immutable<T>;
  };
  if (transform === undefined) return trimmed;
  return (object) => {
    const kept = trimmed(object);
    try {
      return deepFreeze(transform(kept, resource) as Json) as unknown as Immutable<T>;
    } catch (error) {
      options.onFailure(object, error);
      return kept;
    }
  };
}

function withoutManagedFields(metadata: Immutable<ApiObject["metadata"]>): Immutable<ApiObject["metadata"]> {
  if (metadata.managedFields === undefined) return metadata;
  const { managedFields: _, ...rest } = metadata;
  return Object.freeze(rest);
}
