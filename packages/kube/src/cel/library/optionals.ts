import { EntryMap, GrowingMap } from "../entry-map.ts";
import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { ArrayList } from "../list.ts";
import { formatValue } from "../format-value.ts";
import { CelError, CelOptional } from "../value.ts";
import type { CelList, CelMap, CelValue } from "../value.ts";

const unreachable = (): CelValue => {
  throw new Error("this function is planned, not called");
};

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (typeof value !== "object") return false;
  if (value instanceof Uint8Array) return value.length === 0;
  switch (value.kind) {
    case "list":
    case "map":
      return value.size === 0;
    case "uint":
      return value.value === 0n;
    case "duration":
      return value.nanos === 0n;
    case "optional":
      return value.value === undefined;
    default:
      return false;
  }
}

function unwrapAll(list: CelList): CelList {
  const values: CelValue[] = [];
  for (const item of list) {
    if (!(item instanceof CelOptional)) throw new CelError("no such overload");
    if (item.value !== undefined) values.push(item.value);
  }
  return new ArrayList(values);
}

/** Adds entries to a map under construction; a copy is made unless a comprehension is building it. */
function insert(map: CelMap, entries: Iterable<[CelValue, CelValue]>): CelMap {
  let target: EntryMap;
  if (map instanceof GrowingMap) {
    target = map;
  } else {
    target = new EntryMap();
    for (const key of map.keys()) target.set(key, map.get(key)!);
  }
  for (const [key, value] of entries) {
    if (target.get(key) !== undefined) throw new CelError(`insert failed: key ${formatValue(key)} already exists`);
    target.set(key, value);
  }
  return target;
}

function entriesOf(map: CelMap): [CelValue, CelValue][] {
  return Array.from(map.keys(), (key) => [key, map.get(key)!]);
}

/** Optional values, and what the macros that build maps need. */
export const optionals: Library = [
  ["optional.of", [fn("optional_of", "V -> optional_type(V)", (value: CelValue) => new CelOptional(value))]],
  [
    "optional.ofNonZeroValue",
    [
      fn("optional_ofNonZeroValue", "V -> optional_type(V)", (value: CelValue) =>
        isZero(value) ? CelOptional.none : new CelOptional(value),
      ),
    ],
  ],
  ["optional.none", [fn("optional_none", "-> optional_type(V)", () => CelOptional.none)]],
  [
    "value",
    [
      method("optional_value", "optional_type(V) -> V", (optional: CelOptional) => {
        if (optional.value === undefined) throw new CelError("optional.none() dereference");
        return optional.value;
      }),
    ],
  ],
  [
    "hasValue",
    [method("optional_hasValue", "optional_type(V) -> bool", (optional: CelOptional) => optional.value !== undefined)],
  ],
  ["or", [method("optional_or_optional", "optional_type(V), optional_type(V) -> optional_type(V)", unreachable)]],
  ["orValue", [method("optional_orValue_value", "optional_type(V), V -> V", unreachable)]],
  ["optional.unwrap", [fn("optional_unwrap", "list(optional_type(V)) -> list(V)", unwrapAll)]],
  ["unwrapOpt", [method("optional_unwrapOpt", "list(optional_type(V)) -> list(V)", unwrapAll)]],
  [
    "first",
    [
      method("list_first", "list(V) -> optional_type(V)", (list: CelList) =>
        list.size === 0 ? CelOptional.none : new CelOptional(list.at(0)),
      ),
    ],
  ],
  [
    "last",
    [
      method("list_last", "list(V) -> optional_type(V)", (list: CelList) =>
        list.size === 0 ? CelOptional.none : new CelOptional(list.at(list.size - 1)),
      ),
    ],
  ],
  [
    "cel.@mapInsert",
    [
      fn("@mapInsert_map_key_value", "map(K, V), K, V -> map(K, V)", (map: CelMap, key: CelValue, value: CelValue) =>
        insert(map, [[key, value]]),
      ),
      fn("@mapInsert_map_map", "map(K, V), map(K, V) -> map(K, V)", (map: CelMap, other: CelMap) =>
        insert(map, entriesOf(other)),
      ),
    ],
  ],
];
