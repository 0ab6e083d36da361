import { deepEqual } from "../json/equal.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";
import { fieldNode } from "./schema-node.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * A value beside the one that it replaces, walked together. Fields correlate by name, items of map lists by their keys,
 * nothing else does. Ratcheting asks it whether a part has changed at all.
 */
export class Correlation {
  readonly value: Json;
  readonly old: Json;
  readonly #schema: SchemaNode;
  #equal: boolean | undefined;
  #byKey: ReadonlyMap<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: SchemaNode) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** The field with its old value, or undefined where either side or the schema has none. */
  field(key: string): Correlation | undefined {
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const [value, old] = [getOwn(this.value, key), getOwn(this.old, key)];
    const schema = fieldNode(this.#schema, key);
    return value === undefined || old === undefined || !schema ? undefined : new Correlation(value, old, schema);
  }

  /** The item with the old item of the same keys; always undefined for lists that are not maps. */
  item(index: number): Correlation | undefined {
    const { listType, items } = this.#schema;
    if (listType !== "map" || !items || !Array.isArray(this.value) || !Array.isArray(this.old)) return undefined;
    const value = this.value[index];
    if (value === undefined) return undefined;
    this.#byKey ??= itemsByKey(this.#schema, this.old);
    const key = itemKey(this.#schema, value);
    const old = key === undefined ? undefined : this.#byKey.get(key);
    return old === undefined ? undefined : new Correlation(value, old, items);
  }

  /** Deep equality. Computed once, when first asked. */
  unchanged(): boolean {
    return (this.#equal ??= this.#compare());
  }

  /** Map lists are equal in any order; an object with fields that the schema does not know never counts as unchanged. */
  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (this.#schema.listType !== "map") return deepEqual(value, old);
      return value.every((_, i) => this.item(i)?.unchanged() === true);
    }
    if (!isObject(value) || !isObject(old)) return deepEqual(value, old);
    const keys = Object.keys(value);
    return keys.length === Object.keys(old).length && keys.every((key) => this.field(key)?.unchanged() === true);
  }
}

/** What names an item of a map list, or undefined where a key is missing or not a scalar. */
export function itemKey(list: SchemaNode, item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  let key = "";
  for (const name of list.listMapKeys) {
    const value = getOwn(item, name);
    if (value === undefined || value === null || typeof value === "object") return undefined;
    key += `${JSON.stringify(value)}\u0000`;
  }
  return key;
}

/** The items of a map list by {@link itemKey}; the first of several with one key stands. */
export function itemsByKey(list: SchemaNode, items: readonly Json[]): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const item of items) {
    const key = itemKey(list, item);
    if (key !== undefined && !found.has(key)) found.set(key, item);
  }
  return found;
}
