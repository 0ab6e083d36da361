import { hash } from "node:crypto";
import { getOwn, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { Applied, Client } from "../client/client.ts";
import { isMissing } from "../client/error-kinds.ts";
import type { ReconcileContext } from "../controller/definition.ts";
import { confirmPresent } from "./confirm-present.ts";
import { controllerOf, ownerReference } from "./owner-reference.ts";
import { replacedAsConflict } from "./replaced-object.ts";

/** There is an object of that name, and it is not the owner's. Retrying helps only once somebody moved it out of the way. */
export class NotOwnedError extends Error {
  readonly resource: Resource;
  readonly ref: ObjectRef;

  constructor(resource: Resource, ref: ObjectRef, object: Immutable<ApiObject>) {
    const other = controllerOf(object);
    const whose = other === undefined ? "nobody controls it" : `${other.kind} ${other.name} controls it`;
    super(`${resource.kind} ${keyOf(ref)} exists already and ${whose}: delete it or choose another name`);
    this.name = "NotOwnedError";
    this.resource = resource;
    this.ref = ref;
  }
}

type OwnedContext = Pick<ReconcileContext<ApiObject>, "client" | "cached" | "signal">;

export interface OwnedApplyOptions {
  /** Whether an object that nobody controls is taken over. Default: false. */
  readonly adopt?: boolean;
  /**
   * How it is asked whether the owner is still there, right before something is made for it; rejects if not. Default:
   * {@link confirmPresent}. An answer that was given before another effect is old.
   */
  readonly confirm?: () => Promise<void>;
}

/** The objects that a controller makes for the objects of its kind. */
export interface Owned<O extends ApiObject> {
  /**
   * Server-side apply of an object that `owner` controls: exactly these fields, and what was applied before and is left out now is
   * removed. The namespace is the owner's unless given. Makes no call while the cached object is as the server left it after the
   * last apply of the same fields. Rejects with {@link NotOwnedError} instead of taking over what is not the owner's, and with
   * {@link ObjectGoneError} instead of making something for an owner that the server no longer has: the garbage collector would
   * delete it, which would lead to another run, for as long as the cache is old. What an earlier owner of the same name has left
   * behind makes room: Kubernetes' collector never deletes it when it missed that the name changed hands. Needs access to `get`
   * the owner's kind and to `delete` the child's.
   */
  apply<T extends ApiObject>(
    context: OwnedContext,
    owner: Immutable<O>,
    resource: Resource<T>,
    desired: Applied<T>,
    options?: OwnedApplyOptions,
  ): Promise<Immutable<T>>;
  /** Deletes the owner's objects of a kind except those to keep; only these very versions, so nothing that changed hands. */
  prune(
    context: OwnedContext,
    owner: Immutable<O>,
    resource: Resource,
    keep: Iterable<ObjectRef>,
  ): Promise<readonly ObjectRef[]>;
}

interface Memory {
  readonly uid: string | undefined;
  readonly desired: string;
  /** What the server made of it. */
  readonly left: string;
}

/** More than a process has children; the oldest are forgotten, which costs one call each. */
const MAX_REMEMBERED = 100_000;

/**
 * For a controller of `ownerResource`; make one for each controller.
 *
 * Whether an apply would change anything cannot be seen from the object alone: the cache drops managedFields, the server fills in
 * defaults, and a field that is no longer wanted looks like somebody else's. So it remembers what the server made of each apply,
 * and asks again as soon as the wanted fields or the object (its status, and labels and annotations that others put there, left
 * aside) are anything else. After a restart it asks once for each object.
 */
export function ownedBy<O extends ApiObject>(ownerResource: Resource<O>): Owned<O> {
  const remembered = new Map<string, Memory>();

  const remember = (id: string, memory: Memory): void => {
    remembered.delete(id);
    remembered.set(id, memory);
    if (remembered.size > MAX_REMEMBERED) for (const oldest of remembered.keys()) return void remembered.delete(oldest);
  };

  return {
    async apply<T extends ApiObject>(
      { client, cached, signal }: OwnedContext,
      owner: Immutable<O>,
      resource: Resource<T>,
      desired: Applied<T>,
      options: OwnedApplyOptions = {},
    ): Promise<Immutable<T>> {
      const { adopt = false, confirm = () => confirmPresent(client, ownerResource, owner, { signal }) } = options;
      const ref = placeOf(owner, ownerResource, resource, desired.metadata);
      const id = `${resource.group}/${resource.plural}/${keyOf(ref)}`;
      const wanted = {
        ...desired,
        metadata: {
          ...desired.metadata,
          ...ref,
          ownerReferences: [...(desired.metadata.ownerReferences ?? []), ownerReference(owner, ownerResource)],
        },
      } as Applied<T>;
      const known = cached(resource).get(ref);
      const desiredHash = hashOf(wanted);
      const memory = remembered.get(id);
      if (known !== undefined && memory?.desired === desiredHash && memory.uid === known.metadata.uid) {
        if (memory.left === hashContent(known, memory.desired, wanted)) return known;
      }
      const found = known ?? (await client.for(resource).find(ref, { signal }));
      const leftover = found !== undefined && isLeftover(found, owner, ownerResource);
      if (found !== undefined && !leftover && !mayApply(found, owner, adopt))
        throw new NotOwnedError(resource, ref, found);
      if (found === undefined || leftover) await confirm();
      if (leftover) {
        await removeExactly(client, resource, found, signal);
        const going = await client.for(resource).find(ref, { signal });
        if (going !== undefined) throw new NotOwnedError(resource, ref, going);
      }
      const uid = leftover ? undefined : found?.metadata.uid;
      const bound = uid === undefined ? wanted : { ...wanted, metadata: { ...wanted.metadata, uid } };
      const left = await client
        .for(resource)
        .apply(bound, { signal })
        .catch((error: unknown) => {
          throw replacedAsConflict(error, resource, ref);
        });
      const content = hashContent(left, desiredHash, wanted);
      remember(id, { uid: left.metadata.uid, desired: desiredHash, left: content });
      return left;
    },

    async prune({ client, cached, signal }, owner, resource, keep) {
      const kept = new Set(Array.from(keep, (ref) => keyOf(placeOf(owner, ownerResource, resource, ref))));
      const { namespace } = owner.metadata;
      const gone: ObjectRef[] = [];
      for (const object of cached(resource).list(namespace === undefined ? {} : { namespace })) {
        if (kept.has(keyOf(object)) || object.metadata.deletionTimestamp !== undefined) continue;
        if (controllerOf(object)?.uid !== owner.metadata.uid) continue;
        const ref = await removeExactly(client, resource, object, signal);
        remembered.delete(`${resource.group}/${resource.plural}/${keyOf(ref)}`);
        gone.push(ref);
      }
      return gone;
    },
  };
}

function mayApply(existing: Immutable<ApiObject>, owner: Immutable<ApiObject>, adopt: boolean): boolean {
  const controller = controllerOf(existing);
  return controller === undefined ? adopt : controller.uid === owner.metadata.uid;
}

/** Whether an owner of the same name made it that cannot exist any more: names are unique, and this owner is there. */
function isLeftover(object: Immutable<ApiObject>, owner: Immutable<ApiObject>, ownerResource: Resource): boolean {
  const [reference, ...others] = object.metadata.ownerReferences ?? [];
  if (reference?.controller !== true || others.length > 0) return false;
  const { apiVersion, kind, name, uid } = reference;
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const { group: ownGroup, kind: ownKind } = ownerResource;
  return group === ownGroup && kind === ownKind && name === owner.metadata.name && uid !== owner.metadata.uid;
}

/** Deletes this very version of an object. One that is gone already is fine. */
async function removeExactly(
  client: Client,
  resource: Resource,
  { metadata: { uid = "", resourceVersion = "", name = "", namespace } }: Immutable<ApiObject>,
  signal: AbortSignal,
): Promise<ObjectRef> {
  const ref: ObjectRef = namespace === undefined ? { name } : { namespace, name };
  try {
    const preconditions = { uid, resourceVersion };
    await client.for(resource).delete(ref, { preconditions, propagation: "Background", signal });
  } catch (error) {
    if (!isMissing(error, resource, ref)) throw error;
  }
  return ref;
}

/** Where a child is. An owner must be in the same namespace, or in none: otherwise the garbage collector deletes the child. */
function placeOf(owner: Immutable<ApiObject>, ownerResource: Resource, resource: Resource, ref: ObjectRef): ObjectRef {
  const home = owner.metadata.namespace;
  if (!resource.namespaced) {
    if (ownerResource.namespaced)
      throw new TypeError(`a ${ownerResource.kind} is in a namespace and cannot own a ${resource.kind}`);
    return { name: ref.name };
  }
  const namespace = ref.namespace ?? home;
  if (namespace === undefined) throw new TypeError(`the namespace of ${resource.kind} ${ref.name} is missing`);
  if (home !== undefined && namespace !== home) {
    throw new TypeError(`${ownerResource.kind} in ${home} cannot own ${resource.kind} in ${namespace}`);
  }
  return { namespace, name: ref.name };
}

/** The same for equal text only: who builds the same in another order asks once more than needed. */
function hashOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64");
}

/** Objects of the cache are frozen, and most are looked at in many runs before they change. */
const contents = new WeakMap<Immutable<ApiObject>, { readonly desired: string; readonly hash: string }>();

/** The object without its status, what changes by itself, and the labels and annotations that only others want. */
function hashContent(object: Immutable<ApiObject>, desired: string, { metadata: wanted }: Applied<ApiObject>): string {
  const known = contents.get(object);
  if (known?.desired === desired) return known.hash;
  // What comes in a list is told its apiVersion and kind by the client, in another place than the server's.
  const { apiVersion: _group, kind: _kind, metadata, ...rest } = object;
  const { resourceVersion: _version, managedFields: _managed, generation: _generation, ...meta } = metadata;
  const { labels, annotations, ...others } = meta;
  const texts = [valuesAt(labels, wanted.labels), valuesAt(annotations, wanted.annotations)];
  const made = hashOf([{ ...rest, status: undefined }, others, texts]);
  contents.set(object, { desired, hash: made });
  return made;
}

type Texts = Immutable<ApiObject["metadata"]["labels"]>;

function valuesAt(values: Texts = {}, names: object = {}): readonly unknown[] {
  return Object.keys(names).map((name) => getOwn(values, name));
}
