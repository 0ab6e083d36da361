import type { Immutable, ObjectKey } from "@gatewright/kube";
import type { IndexFunction } from "./informer.ts";
import { SortedKeys } from "./sorted-keys.ts";

const NO_KEYS: readonly ObjectKey[] = Object.freeze([]);
const NO_VALUES: readonly string[] = Object.freeze([]);

/**
 * Keys of objects by the values that a function gives for them. An object for which the function throws is filed under nothing and
 * told to `onFailure`: one odd object must not end the cache of all the others.
 */
export class ObjectIndex<T> {
  readonly function: IndexFunction<T>;
  readonly #onFailure: (key: ObjectKey, error: unknown) => void;
  /** What each key is filed under, so that the function is called once for each version and leaving never depends on it. */
  readonly #filed = new Map<ObjectKey, readonly string[]>();
  readonly #keys = new Map<string, SortedKeys>();

  constructor(index: IndexFunction<T>, onFailure: (key: ObjectKey, error: unknown) => void) {
    this.function = index;
    this.#onFailure = onFailure;
  }

  /** Keys under a value, in order. Valid until the next change. */
  keys(value: string): readonly ObjectKey[] {
    return this.#keys.get(value)?.all() ?? NO_KEYS;
  }

  put(key: ObjectKey, object: Immutable<T>): void {
    const values = this.#valuesOf(key, object);
    const before = this.#filed.get(key);
    if (before !== undefined && same(before, values)) return;
    this.delete(key);
    if (values.length === 0) return;
    this.#filed.set(key, values);
    for (const value of values) {
      let keys = this.#keys.get(value);
      if (keys === undefined) this.#keys.set(value, (keys = new SortedKeys()));
      keys.add(key);
    }
  }

  delete(key: ObjectKey): void {
    for (const value of this.#filed.get(key) ?? NO_VALUES) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
    this.#filed.delete(key);
  }

  #valuesOf(key: ObjectKey, object: Immutable<T>): readonly string[] {
    try {
      return [...this.function(object)];
    } catch (error) {
      this.#onFailure(key, error);
      return NO_VALUES;
    }
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
