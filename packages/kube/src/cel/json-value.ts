import type { Json, JsonObject } from "../json/json.ts";
import { getOwn, isObject } from "../json/json.ts";
import { deepEqual } from "../json/equal.ts";
import { equals } from "./equality.ts";
import { escapeName, unescapeName } from "./escape.ts";
import { jsonScalar } from "./json-scalar.ts";
import { mergingJsonList } from "./json-merging-list.ts";
import { dynType } from "./types.ts";
import type { CelType, ListMerge, ObjectType } from "./types.ts";
import { CelError } from "./value.ts";
import type { CelList, CelMap, CelValue } from "./value.ts";

/**
 * Reads JSON as a value of a declared type. Nothing is copied: items and fields are converted when an expression asks
 * for them. Data of type dyn is read as it is, whole numbers as ints. Throws CelError when the data is not of the type.
 */
export function fromJson(value: Json, type: CelType): CelValue {
  if (value === null) return null;
  if (Array.isArray(value)) {
    if (type.kind === "list") return listOf(value, type.element, type.merge);
    if (type.kind === "dyn") return listOf(value, dynType, undefined);
  } else if (isObject(value)) {
    if (type.kind === "object") return new JsonStruct(value, type);
    if (type.kind === "map") return new JsonMap(value, type.value);
    if (type.kind === "dyn") return new JsonMap(value, dynType);
  } else {
    return jsonScalar(value, type);
  }
  throw new CelError(`invalid data, expected ${type.kind}`);
}

function listOf(items: readonly Json[], element: CelType, merge: ListMerge | undefined): CelList {
  return merge === undefined ? new JsonList(items, element) : mergingJsonList(items, element, merge);
}

/**
 * What an expression asked for of a list or map, by its place. It may ask in a loop, at the cost of one look each time: what it takes to
 * look (the count of a map's keys, the items of a set) must not be done again.
 */
class Kept<Place> {
  #values: Map<Place, CelValue> | undefined;

  at(place: Place, json: Json, type: CelType): CelValue {
    if (typeof json !== "object" || json === null) return fromJson(json, type);
    this.#values ??= new Map();
    const known = this.#values.get(place);
    if (known !== undefined) return known;
    const value = fromJson(json, type);
    this.#values.set(place, value);
    return value;
  }
}

/** A JSON array. */
export class JsonList implements CelList {
  readonly kind = "list";
  readonly items: readonly Json[];
  readonly element: CelType;
  readonly #kept = new Kept<number>();

  constructor(items: readonly Json[], element: CelType) {
    this.items = items;
    this.element = element;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): CelValue {
    return this.#kept.at(index, this.items[index]!, this.element);
  }

  *[Symbol.iterator](): Iterator<CelValue> {
    for (const index of this.items.keys()) yield this.at(index);
  }
}

/** A JSON object whose keys are data. A null value is a value. */
class JsonMap implements CelMap {
  readonly kind = "map";
  readonly #object: JsonObject;
  readonly #value: CelType;
  readonly #kept = new Kept<string>();
  #size: number | undefined;

  constructor(object: JsonObject, value: CelType) {
    this.#object = object;
    this.#value = value;
  }

  get size(): number {
    this.#size ??= Object.keys(this.#object).length;
    return this.#size;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return undefined;
    const found = getOwn(this.#object, key);
    return found === undefined ? undefined : this.#kept.at(key, found, this.#value);
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.#object);
  }
}

/** A JSON object with declared fields. Names are escaped, and a null field is absent. */
export class JsonStruct implements CelMap {
  readonly kind = "map";
  readonly object: JsonObject;
  readonly #type: ObjectType;
  readonly #kept = new Kept<string>();
  #size: number | undefined;

  constructor(object: JsonObject, type: ObjectType) {
    this.object = object;
    this.#type = type;
  }

  get size(): number {
    this.#size ??= Object.keys(this.object).length;
    return this.#size;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return undefined;
    const property = unescapeName(key);
    const found = property === undefined ? undefined : getOwn(this.object, property);
    if (found === undefined || found === null) return undefined;
    const type = this.#type.field(key);
    return type === undefined ? undefined : this.#kept.at(key, found, type);
  }

  *keys(): Iterable<CelValue> {
    for (const property of Object.keys(this.object)) {
      const name = escapeName(property);
      if (name !== undefined && this.#type.field(name) !== undefined) yield name;
    }
  }

  /** Undeclared fields count too: they are compared as JSON. */
  equals(other: CelMap): boolean {
    if (this.size !== other.size) return false;
    for (const property of Object.keys(this.object)) {
      const name = escapeName(property);
      if (name !== undefined && this.#type.field(name) !== undefined) {
        const mine = this.get(name);
        const theirs = other.get(name);
        if (mine === undefined || theirs === undefined ? mine !== theirs : !equals(mine, theirs)) return false;
      } else if (!(other instanceof JsonStruct) || !deepEqual(this.object[property], getOwn(other.object, property))) {
        return false;
      }
    }
    return true;
  }
}
