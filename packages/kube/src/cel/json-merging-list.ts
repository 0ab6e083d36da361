import type { Json } from "../json/json.ts";
import { getOwn, isObject } from "../json/json.ts";
import { equals } from "./equality.ts";
import { fromJson, JsonStruct } from "./json-value.ts";
import { ArrayList } from "./list.ts";
import type { CelType, ListMerge } from "./types.ts";
import { CelUint } from "./value.ts";
import type { CelList, CelValue } from "./value.ts";

/** A set or a map list: order does not matter to `==`, and `+` replaces what has the same key and appends the rest. */
export function mergingJsonList(items: readonly Json[], element: CelType, merge: ListMerge): CelList {
  return new MergingList(
    items.map((item) => fromJson(item, element)),
    merge,
  );
}

class MergingList extends ArrayList {
  readonly #merge: ListMerge;
  #positions: Map<string, number> | undefined;

  constructor(items: CelValue[], merge: ListMerge) {
    super(items);
    this.#merge = merge;
  }

  /** Where each key is in the list. */
  get #index(): Map<string, number> {
    this.#positions ??= new Map(this.items.map((item, i) => [keyOf(item, this.#merge), i]));
    return this.#positions;
  }

  equals(other: CelList): boolean {
    if (other.size !== this.size) return false;
    for (const item of other) {
      const position = this.#index.get(keyOf(item, this.#merge));
      if (position === undefined || !equals(this.items[position]!, item)) return false;
    }
    return true;
  }

  merge(other: CelList): CelList {
    const items = [...this.items];
    const positions = new Map(this.#index);
    for (const item of other) {
      const key = keyOf(item, this.#merge);
      const position = positions.get(key);
      if (position === undefined) {
        positions.set(key, items.length);
        items.push(item);
      } else if (this.#merge.by === "keys") {
        items[position] = item;
      }
    }
    return new MergingList(items, this.#merge);
  }
}

function keyOf(item: CelValue, merge: ListMerge): string {
  if (merge.by === "value") return scalarKey(item);
  if (!(item instanceof JsonStruct)) return "";
  const { object } = item;
  return JSON.stringify(merge.keys.map((key) => getOwn(object, key) ?? null));
}

function scalarKey(value: CelValue): string {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString("hex")}`;
  if (value instanceof CelUint) return `uint:${value.value}`;
  if (typeof value === "object" && value !== null)
    return "nanos" in value ? `time:${value.nanos}` : isObject(value) ? JSON.stringify(value) : "";
  return `${typeof value}:${String(value)}`;
}
