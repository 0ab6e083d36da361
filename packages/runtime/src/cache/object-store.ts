import { compareResourceVersions, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey } from "@gatewright/kube";
import { Departed } from "./departed.ts";
import type { CacheChange, IndexFunction } from "./informer.ts";
import { ObjectIndex } from "./object-index.ts";
import { SortedKeys } from "./sorted-keys.ts";

const NOTHING: readonly never[] = Object.freeze([]);

/**
 * Objects of a kind by key, with indexes. Each object only moves forward: by resourceVersion, or to another uid with a newer one. So
 * this process's own writes are put in as the server acknowledged them; events from before them and lists that do not reach them
 * cannot undo them, and their echo is no change.
 *
 * Versions that are no numbers cannot be ordered: the last one to arrive then wins, and own writes may be unseen for a while.
 */
export class ObjectStore<T extends ApiObject> {
  readonly #objects = new Map<ObjectKey, Immutable<T>>();
  readonly #keys = new SortedKeys();
  readonly #indexes = new Map<string, ObjectIndex<T>>();
  readonly #departed = new Departed();
  readonly #onIndexFailure: (index: string, key: ObjectKey, error: unknown) => void;

  constructor(onIndexFailure: (index: string, key: ObjectKey, error: unknown) => void) {
    this.#onIndexFailure = onIndexFailure;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): Immutable<T> | undefined {
    return this.#objects.get(key);
  }

  /** In the order of keys. */
  list(namespace?: string): Immutable<T>[] {
    return this.#at(namespace === undefined ? this.#keys.all() : this.#keys.startingWith(`${namespace}/`));
  }

  byIndex(name: string, value: string): Immutable<T>[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index ${name}`);
    return this.#at(index.keys(value));
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    const existing = this.#indexes.get(name);
    if (existing !== undefined && existing.function !== index) {
      throw new TypeError(`there is another index ${name} already`);
    }
    if (existing !== undefined) return;
    const made = new ObjectIndex<T>(index, (key, error) => this.#onIndexFailure(name, key, error));
    for (const key of this.#keys.all()) made.put(key, this.#objects.get(key)!);
    this.#indexes.set(name, made);
  }

  /** Takes a version of an object: from an event, a list, or the answer to an own write. Gives the changes to tell. */
  put(object: Immutable<T>, initial = false): readonly CacheChange<T>[] {
    if (this.#departed.covers(uidOf(object), versionOf(object))) return NOTHING;
    const previous = this.#objects.get(keyOf(object));
    if (previous !== undefined && (versionOf(object) === versionOf(previous) || isOlder(object, previous))) {
      return NOTHING;
    }
    return this.#set(object, previous, initial);
  }

  /** Takes the end of an object, or its leaving the selection. */
  delete(object: Immutable<T>): readonly CacheChange<T>[] {
    const key = keyOf(object);
    const previous = this.#objects.get(key);
    this.#departed.left(uidOf(object), versionOf(object));
    if (previous === undefined || isOlder(object, previous)) return NOTHING;
    const sameObject = uidOf(previous) === uidOf(object);
    if (!sameObject) this.#departed.left(uidOf(previous), versionOf(object));
    this.#remove(key);
    return [{ type: "deleted", object: sameObject ? object : previous, unseen: !sameObject }];
  }

  /** The server said to this process that a uid is gone. It stays hidden, whatever stale events and lists show. */
  removed(key: ObjectKey, uid: string): readonly CacheChange<T>[] {
    this.#departed.removed(uid);
    const previous = this.#objects.get(key);
    if (previous === undefined || uidOf(previous) !== uid) return NOTHING;
    this.#remove(key);
    return [{ type: "deleted", object: previous, unseen: true }];
  }

  /**
   * Takes a whole list at once. What it does not show is gone, except own writes that are newer than the list. `anew`: the server's
   * history went back (a restored backup), so older versions count too and nothing remembered does.
   */
  replace(listed: Iterable<Immutable<T>>, resourceVersion: string, anew: boolean): readonly CacheChange<T>[] {
    if (anew) this.#departed.clear();
    const changes: CacheChange<T>[] = [];
    const objects = inOrder(listed);
    const shownKeys = new Set<ObjectKey>();
    const shownUids = new Set<string>();
    for (const [key, object] of objects) {
      shownKeys.add(key);
      shownUids.add(uidOf(object));
      const previous = this.#objects.get(key);
      const forced = anew && previous !== undefined && versionOf(previous) !== versionOf(object);
      changes.push(...(forced ? this.#set(object, previous, true) : this.put(object, true)));
    }
    for (const [key, previous] of this.#objects) {
      if (shownKeys.has(key)) continue;
      if (!anew && (compareResourceVersions(versionOf(previous), resourceVersion) ?? 0) > 0) continue;
      this.#departed.left(uidOf(previous), resourceVersion);
      this.#remove(key);
      changes.push({ type: "deleted", object: previous, unseen: true });
    }
    this.#departed.listed(shownUids);
    return changes;
  }

  #set(object: Immutable<T>, previous: Immutable<T> | undefined, initial: boolean): readonly CacheChange<T>[] {
    const key = keyOf(object);
    this.#objects.set(key, object);
    if (previous === undefined) this.#keys.add(key);
    for (const index of this.#indexes.values()) index.put(key, object);
    if (previous === undefined) return [{ type: "added", object, initial }];
    if (uidOf(previous) === uidOf(object)) return [{ type: "updated", object, previous }];
    this.#departed.left(uidOf(previous), versionOf(object));
    return [
      { type: "deleted", object: previous, unseen: true },
      { type: "added", object, initial },
    ];
  }

  #remove(key: ObjectKey): void {
    this.#objects.delete(key);
    this.#keys.delete(key);
    for (const index of this.#indexes.values()) index.delete(key);
  }

  #at(keys: readonly ObjectKey[]): Immutable<T>[] {
    return keys.map((key) => this.#objects.get(key)!);
  }
}

/** Sorted, so that keys are appended instead of inserted. Of two objects with one key, the later counts. */
function inOrder<T extends ApiObject>(listed: Iterable<Immutable<T>>): readonly (readonly [ObjectKey, Immutable<T>])[] {
  const objects = new Map<ObjectKey, Immutable<T>>();
  for (const object of listed) objects.set(keyOf(object), object);
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isOlder(object: Immutable<ApiObject>, than: Immutable<ApiObject>): boolean {
  return (compareResourceVersions(versionOf(object), versionOf(than)) ?? 0) < 0;
}

function versionOf(object: Immutable<ApiObject>): string {
  return object.metadata.resourceVersion ?? "";
}

function uidOf(object: Immutable<ApiObject>): string {
  return object.metadata.uid ?? "";
}
