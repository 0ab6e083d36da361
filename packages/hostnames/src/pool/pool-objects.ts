import { deepEqual, getOwn, isObject, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, ObjectRef, Resource } from "@gatewright/kube";
import { isMissing } from "@gatewright/runtime";
import type { Applied, CacheReader, Client } from "@gatewright/runtime";

/** Reads and writes of a reconcile. */
export interface PoolContext {
  readonly client: Client;
  readonly cached: <T extends ApiObject>(resource: Resource<T>) => CacheReader<T>;
  readonly signal: AbortSignal;
}

/** Why an object has to be written. `drift`: it is not as it was left, and nobody asked for anything else. */
export type Need = "news" | "drift" | "none";

interface Memory {
  readonly desired: Json;
  /** What the server made of the fields that were written. */
  readonly left: Json;
}

/** The cache does not show an object that the server has. Once it has caught up there is another run. */
export class OldObjectsError extends Error {
  constructor(resource: Resource, ref: ObjectRef) {
    super(`${resource.kind} ${keyOf(ref)} is there, and the cache does not show it yet`);
    this.name = "OldObjectsError";
  }
}

/**
 * The objects that the pool has written, so that it writes only news and knows its own hand from others'. After a restart each is
 * written once: only an apply tells what was wanted before and is not any more.
 */
export class PoolObjects {
  readonly #written = new Map<string, Memory>();

  /** Forgets all of it, so that each is written once more. */
  forget(): void {
    this.#written.clear();
  }

  need<T extends ApiObject>({ cached }: PoolContext, resource: Resource<T>, desired: Applied<T>): Need {
    const memory = this.#written.get(idOf(resource, desired.metadata));
    if (memory === undefined || !deepEqual(memory.desired, desired as unknown as Json)) return "news";
    const known = cached(resource).get(desired.metadata);
    return known !== undefined && deepEqual(partOf(known as unknown as Json, memory.desired), memory.left)
      ? "none"
      : "drift";
  }

  /**
   * Server-side apply: exactly these fields, to the very version that the cache shows (409 otherwise). What an older cache does not
   * show would be taken away: the listener of a hostname that another process has placed meanwhile.
   */
  async apply<T extends ApiObject>(
    { client, cached, signal }: PoolContext,
    resource: Resource<T>,
    desired: Applied<T>,
  ): Promise<Immutable<T>> {
    const known = cached(resource).get(desired.metadata);
    if (known === undefined && (await client.for(resource).find(desired.metadata, { signal })) !== undefined)
      throw new OldObjectsError(resource, desired.metadata);
    const wanted = desired as unknown as Json;
    const id = idOf(resource, desired.metadata);
    // An apply of something else that failed may have been done: then what was wanted before is news again.
    if (!deepEqual(this.#written.get(id)?.desired, wanted)) this.#written.delete(id);
    const { uid = "", resourceVersion = "" } = known?.metadata ?? {};
    const bound = known === undefined ? {} : { uid, resourceVersion };
    const left = await client
      .for(resource)
      .apply({ ...desired, metadata: { ...desired.metadata, ...bound } }, { signal });
    this.#written.set(id, { desired: wanted, left: partOf(left as unknown as Json, wanted) });
    return left;
  }

  /** Deletes this very object, whatever has its name by then. */
  async remove<T extends ApiObject>(
    { client, signal }: PoolContext,
    resource: Resource<T>,
    { metadata }: Immutable<T>,
    only: { readonly resourceVersion?: string } = {},
  ): Promise<void> {
    const { namespace = "", name = "", uid = "" } = metadata;
    try {
      await client.for(resource).delete({ namespace, name }, { preconditions: { uid, ...only }, signal });
    } catch (error) {
      if (!isMissing(error, resource, { namespace, name })) throw error;
    }
    this.#written.delete(idOf(resource, { namespace, name }));
  }
}

function idOf({ plural }: Resource, ref: ObjectRef): string {
  return `${plural}/${keyOf(ref)}`;
}

/** What an object has in the places that `shape` has. Listeners are found by name, since others may add some of their own. */
function partOf(value: Json | undefined, shape: Json): Json {
  if (isObject(shape)) {
    if (!isObject(value)) return null;
    return Object.fromEntries(
      Object.keys(shape).map((key) => {
        const [inner, wanted] = [getOwn(value, key), getOwn(shape, key) ?? null];
        return [key, key === "listeners" ? namedPart(inner, wanted) : partOf(inner, wanted)];
      }),
    );
  }
  if (Array.isArray(shape) && Array.isArray(value) && value.length === shape.length) {
    return value.map((item, index) => partOf(item, shape[index] ?? null));
  }
  return value ?? null;
}

function namedPart(value: Json | undefined, shape: Json): Json {
  if (!Array.isArray(shape) || !Array.isArray(value)) return null;
  return shape.map((wanted) => {
    const name = isObject(wanted) ? wanted["name"] : undefined;
    return partOf(
      value.find((item) => isObject(item) && item["name"] === name),
      wanted,
    );
  });
}
