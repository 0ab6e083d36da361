import { compare } from "../compare.ts";
import { equals } from "../equality.ts";
import { fn, method } from "../function.ts";
import type { Library, Overload } from "../function.ts";
import { ArrayList, maxItems } from "../list.ts";
import { CelDuration } from "../time.ts";
import { CelError, CelUint, isList, typeNameOf } from "../value.ts";
import type { CelList, CelValue } from "../value.ts";
import { add } from "./arithmetic.ts";

const comparable = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const summable: readonly (readonly [string, CelValue])[] = [
  ["int", 0n],
  ["uint", new CelUint(0n)],
  ["double", 0],
  ["duration", new CelDuration(0n)],
];
const sortable: readonly (readonly [type: string, id: string])[] = [
  ["int", "int"],
  ["uint", "uint"],
  ["double", "double"],
  ["bool", "bool"],
  ["duration", "google.protobuf.Duration"],
  ["timestamp", "google.protobuf.Timestamp"],
  ["string", "string"],
  ["bytes", "bytes"],
];

function isSorted(list: CelList): boolean {
  let previous: CelValue | undefined;
  for (const item of list) {
    if (previous !== undefined && compare(previous, item) > 0) return false;
    previous = item;
  }
  return true;
}

function extreme(name: string, sign: number): readonly Overload[] {
  return comparable.map((type) =>
    method(`list_${type}_${name}_${type}`, `list(${type}) -> ${type}`, (list: CelList) => {
      let best: CelValue | undefined;
      for (const item of list) if (best === undefined || compare(item, best) * sign > 0) best = item;
      if (best === undefined) throw new CelError(`${name} called on empty list`);
      return best;
    }),
  );
}

function indexOf(list: CelList, item: CelValue): bigint {
  for (let i = 0; i < list.size; i++) if (equals(list.at(i), item)) return BigInt(i);
  return -1n;
}

function lastIndexOf(list: CelList, item: CelValue): bigint {
  for (let i = list.size - 1; i >= 0; i--) if (equals(list.at(i), item)) return BigInt(i);
  return -1n;
}

function slice(list: CelList, start: bigint, end: bigint): CelList {
  if (start < 0n || end < 0n) throw new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > BigInt(list.size)) throw new CelError(`cannot slice(${start}, ${end}), list is length ${list.size}`);
  const items: CelValue[] = [];
  for (let i = Number(start); i < Number(end); i++) items.push(list.at(i));
  return new ArrayList(items);
}

function flatten(list: CelList, depth: bigint): CelList {
  if (depth < 0n) throw new CelError("level must be non-negative");
  const items: CelValue[] = [];
  const walk = (from: CelList, left: bigint): void => {
    for (const item of from) {
      if (left > 0n && isList(item)) walk(item, left - 1n);
      else items.push(item);
      if (items.length > maxItems) throw new CelError("list is too large");
    }
  };
  walk(list, depth);
  return new ArrayList(items);
}

/** Orders the items of a list by the keys at the same positions. */
function sortByKeys(list: CelList, keys: CelList): CelList {
  if (list.size !== keys.size) {
    throw new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  const pairs = Array.from(list, (item, i) => ({ item, key: keys.at(i) }));
  const type = pairs[0] === undefined ? "" : typeNameOf(pairs[0].key);
  if (pairs.some(({ key }) => typeNameOf(key) !== type)) throw new CelError("list elements must have the same type");
  pairs.sort((a, b) => compare(a.key, b.key));
  return new ArrayList(pairs.map(({ item }) => item));
}

function distinct(list: CelList): CelList {
  const unique: CelValue[] = [];
  for (const item of list) if (!unique.some((seen) => equals(seen, item))) unique.push(item);
  return new ArrayList(unique);
}

function contains(list: CelList, item: CelValue): boolean {
  for (const candidate of list) if (equals(candidate, item)) return true;
  return false;
}

function containsAll(list: CelList, items: CelList): boolean {
  for (const item of items) if (!contains(list, item)) return false;
  return true;
}

function intersects(a: CelList, b: CelList): boolean {
  for (const item of b) if (contains(a, item)) return true;
  return false;
}

/** The lists and sets extensions, and the list functions of Kubernetes. */
export const lists: Library = [
  ["isSorted", comparable.map((type) => method(`list_${type}_is_sorted_bool`, `list(${type}) -> bool`, isSorted))],
  [
    "sum",
    summable.map(([type, zero]) =>
      method(`list_${type}_sum_${type}`, `list(${type}) -> ${type}`, (list: CelList) => {
        let total = zero;
        for (const item of list) total = add(total, item);
        return total;
      }),
    ),
  ],
  ["min", extreme("min", -1)],
  ["max", extreme("max", 1)],
  ["indexOf", [method("list_a_index_of_int", "list(A), A -> int", indexOf)]],
  ["lastIndexOf", [method("list_a_last_index_of_int", "list(A), A -> int", lastIndexOf)]],
  ["slice", [method("list_slice", "list(T), int, int -> list(T)", slice)]],
  [
    "flatten",
    [
      method("list_flatten", "list(list(T)) -> list(T)", (list: CelList) => flatten(list, 1n)),
      method("list_flatten_int", "list(dyn), int -> list(dyn)", flatten),
    ],
  ],
  [
    "lists.range",
    [
      fn(
        "lists_range",
        "int -> list(int)",
        (count: bigint) => new ArrayList(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i))),
      ),
    ],
  ],
  ["reverse", [method("list_reverse", "list(T) -> list(T)", (list: CelList) => new ArrayList([...list].reverse()))]],
  ["distinct", [method("list_distinct", "list(T) -> list(T)", distinct)]],
  [
    "sort",
    sortable.map(([type, id]) =>
      method(`list_${id}_sort`, `list(${type}) -> list(${type})`, (list: CelList) => sortByKeys(list, list)),
    ),
  ],
  [
    "@sortByAssociatedKeys",
    sortable.map(([type, id]) =>
      method(`list_${id}_sortByAssociatedKeys`, `list(T), list(${type}) -> list(T)`, sortByKeys),
    ),
  ],
  ["sets.contains", [fn("list_sets_contains_list", "list(T), list(T) -> bool", containsAll)]],
  [
    "sets.equivalent",
    [
      fn(
        "list_sets_equivalent_list",
        "list(T), list(T) -> bool",
        (a: CelList, b: CelList) => containsAll(a, b) && containsAll(b, a),
      ),
    ],
  ],
  ["sets.intersects", [fn("list_sets_intersects_list", "list(T), list(T) -> bool", intersects)]],
];
