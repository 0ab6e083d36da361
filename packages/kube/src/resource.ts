import type { GroupVersionKind } from "./group-version.ts";
import type { ObjectMeta } from "./object.ts";

/** The least that an object of any kind has. Types of kinds are interfaces, so no index signature is asked of them. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/**
 * A kind as a value: what clients, caches, controllers, manifests and access rules all take. `T` is the type of its objects and
 * exists for the compiler only.
 */
export interface Resource<T extends ApiObject = ApiObject> extends GroupVersionKind {
  /** The name in URLs: `configmaps`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set: it ties `T` to the value. */
  readonly objects?: T;
}

/** Which object of a kind. `namespace` is left out for cluster-scoped kinds, and only for them. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for cluster-scoped kinds. Names hold no slash, so two objects of a kind never share a key. */
export type ObjectKey = string;

/** The key of an object or of a reference to one. An object without a name (one to be generated) has none to give. */
export function keyOf(
  object: ObjectRef | { readonly metadata: { readonly name?: string; readonly namespace?: string } },
): ObjectKey {
  const { namespace, name } = "metadata" in object ? object.metadata : object;
  if (name === undefined || name === "") throw new TypeError("an object without a name has no key");
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

/** The reference that a key stands for. */
export function refOf(key: ObjectKey): ObjectRef {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** `/api/v1`, `/apis/apps/v1`: where the resources of a group and version are. */
export function groupVersionPath({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** A value that nobody may change: what caches and clients hand out. */
export type Immutable<T> = T extends readonly (infer E)[]
  ? readonly Immutable<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;
