import { keyOf, selectorFromObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, LabelSelector, ObjectRef, Resource } from "@gatewright/kube";
import type { meta } from "@gatewright/kube/api";
import { controllerOf, isInvalid, isMissing, ownerReference } from "@gatewright/runtime";
import type { CacheReader, Client, ReconcileContext } from "@gatewright/runtime";
import { BY_CONTROLLER, BY_ORPHAN, BY_SELECTOR, labelAnchors, selectorAnchor } from "./anchors.ts";
import { confirmCurrent } from "./confirm-current.ts";

/** An owner that finds its objects by a selector, and the kind that it is of. */
export interface Claimer<O extends ApiObject> {
  readonly owner: Immutable<O>;
  readonly resource: Resource<O>;
  readonly selector: Immutable<meta.LabelSelector>;
}

/** What becomes of the objects that an owner controls or might. */
export interface Claims<T> {
  /** Controlled by the owner and matched by its selector. */
  readonly kept: readonly Immutable<T>[];
  /** Matched by it, and nobody's. */
  readonly adopted: readonly Immutable<T>[];
  /** Controlled by it and no longer matched. */
  readonly released: readonly Immutable<T>[];
}

/** The selector of an owner, ready to match. */
export function selectorOf(selector: Immutable<meta.LabelSelector>): LabelSelector {
  return selectorFromObject(selector as unknown as Json);
}

/** What an owner should keep, adopt and release, by the cache. Nothing that is being deleted changes hands. */
export function claimsOf<O extends ApiObject, T extends ApiObject>(
  { owner, selector }: Claimer<O>,
  objects: CacheReader<T>,
): Claims<T> {
  const { uid = "", namespace = "", deletionTimestamp } = owner.metadata;
  const matching = selectorOf(selector);
  const isMatched = ({ metadata }: Immutable<T>): boolean => matching.matches(metadata.labels);
  const stays = ({ metadata }: Immutable<T>): boolean => metadata.deletionTimestamp === undefined;
  const owned = objects.byIndex(BY_CONTROLLER, uid);
  const orphans =
    deletionTimestamp === undefined ? objects.byIndex(BY_ORPHAN, selectorAnchor(namespace, selector)) : [];
  return {
    kept: owned.filter(isMatched),
    adopted: orphans.filter((object) => stays(object) && isMatched(object)),
    released: owned.filter((object) => !isMatched(object) && stays(object)),
  };
}

/** Adopts and releases. Before anything is adopted the server is asked whether the owner is still there. */
export async function settleClaims<O extends ApiObject, T extends ApiObject>(
  { client, signal }: Pick<ReconcileContext<O>, "client" | "signal">,
  { owner, resource }: Claimer<O>,
  kind: Resource<T>,
  { adopted, released }: Pick<Claims<T>, "adopted" | "released">,
  metadata: { readonly finalizers?: readonly string[] } = {},
): Promise<void> {
  if (adopted.length > 0) await confirmCurrent(client, resource, owner, { signal });
  for (const object of adopted) {
    const reference = ownerReference(owner, resource);
    await patchOwner(client, kind, object, { ...metadata, ownerReferences: [reference] }, signal);
  }
  for (const object of released) {
    const reference = { $patch: "delete", uid: owner.metadata.uid };
    await patchOwner(client, kind, object, { ownerReferences: [reference] }, signal);
  }
}

/** Owners in the cache whose selectors match an object that nobody controls. */
export function claimersOf<O extends ApiObject>(
  object: Immutable<ApiObject>,
  owners: CacheReader<O>,
  selectorIn: (owner: Immutable<O>) => Immutable<meta.LabelSelector> | undefined,
): readonly ObjectRef[] {
  if (controllerOf(object) !== undefined) return [];
  const found = new Map<string, ObjectRef>();
  for (const anchor of labelAnchors(object)) {
    for (const owner of owners.byIndex(BY_SELECTOR, anchor)) {
      const selector = selectorIn(owner);
      if (selector === undefined || !selectorOf(selector).matches(object.metadata.labels)) continue;
      const { namespace = "", name = "" } = owner.metadata;
      found.set(keyOf(owner), { namespace, name });
    }
  }
  return [...found.values()];
}

/** Somebody who deleted it, or took it, was first: there is nothing left to do then. */
async function patchOwner<T extends ApiObject>(
  client: Client,
  kind: Resource<T>,
  object: Immutable<T>,
  metadata: object,
  signal: AbortSignal,
): Promise<void> {
  const { name = "", namespace, uid } = object.metadata;
  const ref = namespace === undefined ? { name } : { namespace, name };
  try {
    await client.for(kind).patch(ref, { strategic: { metadata: { ...metadata, uid } } }, { signal });
  } catch (error) {
    if (!isMissing(error, kind, ref) && !isInvalid(error)) throw error;
  }
}
