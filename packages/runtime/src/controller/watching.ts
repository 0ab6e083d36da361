import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { CacheScope, IndexFunction } from "../cache/informer.ts";
import type { Predicate, Watch } from "./definition.ts";

export interface WatchingOptions<T extends ApiObject> {
  /** The controller's objects that an object of this kind concerns. Pure; called with the old and with the new version. */
  readonly map: (object: Immutable<T>) => readonly ObjectRef[];
  /** Which changes matter. Default: all. */
  readonly when?: Predicate<T>;
  readonly scope?: CacheScope;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

/** A kind that a controller watches besides its own. */
export function watching<T extends ApiObject>(resource: Resource<T>, options: WatchingOptions<T>): Watch {
  // The cache hands a watch objects of its own resource and no others, so what is written for T is only called with T.
  const typed: Required<WatchingOptions<T>> & { readonly resource: Resource<T> } = {
    resource,
    map: options.map,
    when: options.when ?? (() => true),
    scope: options.scope ?? {},
    indexes: options.indexes ?? {},
  };
  return typed as unknown as Watch;
}
