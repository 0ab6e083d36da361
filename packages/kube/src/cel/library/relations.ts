import { compare } from "../compare.ts";
import { equals } from "../equality.ts";
import { fn, method } from "../function.ts";
import type { Library, Overload } from "../function.ts";
import { codePointCount } from "../size.ts";
import type { CelList, CelMap, CelValue } from "../value.ts";

const unreachable = (): CelValue => {
  throw new Error("this operator is planned, not called");
};

/** Orderings exist within a type and between all types of numbers. */
function ordering(name: string, holds: (order: number) => boolean): readonly Overload[] {
  const run = (a: CelValue, b: CelValue): boolean => holds(compare(a, b));
  const numbers = [
    ["int", "int64"],
    ["uint", "uint64"],
    ["double", "double"],
  ] as const;
  return [
    fn(`${name}_bool`, "bool, bool -> bool", run),
    ...numbers.flatMap(([left, leftId]) =>
      numbers.map(([right, rightId]) =>
        fn(left === right ? `${name}_${leftId}` : `${name}_${leftId}_${rightId}`, `${left}, ${right} -> bool`, run),
      ),
    ),
    ...["string", "bytes", "timestamp", "duration"].map((type) =>
      fn(`${name}_${type}`, `${type}, ${type} -> bool`, run),
    ),
  ];
}

/** Comparison, membership, size, and the operators that the planner runs itself. */
export const relations: Library = [
  ["_==_", [fn("equals", "A, A -> bool", equals)]],
  ["_!=_", [fn("not_equals", "A, A -> bool", (a: CelValue, b: CelValue) => !equals(a, b))]],
  ["_<_", ordering("less", (order) => order < 0)],
  ["_<=_", ordering("less_equals", (order) => order <= 0)],
  ["_>_", ordering("greater", (order) => order > 0)],
  ["_>=_", ordering("greater_equals", (order) => order >= 0)],
  [
    "@in",
    [
      fn("in_list", "A, list(A) -> bool", (item: CelValue, list: CelList) => {
        for (const candidate of list) if (equals(candidate, item)) return true;
        return false;
      }),
      fn("in_map", "A, map(A, B) -> bool", (key: CelValue, map: CelMap) => map.get(key) !== undefined),
    ],
  ],
  [
    "size",
    [
      fn("size_bytes", "bytes -> int", (bytes: Uint8Array) => BigInt(bytes.length)),
      method("bytes_size", "bytes -> int", (bytes: Uint8Array) => BigInt(bytes.length)),
      fn("size_list", "list(A) -> int", (list: CelList) => BigInt(list.size)),
      method("list_size", "list(A) -> int", (list: CelList) => BigInt(list.size)),
      fn("size_map", "map(A, B) -> int", (map: CelMap) => BigInt(map.size)),
      method("map_size", "map(A, B) -> int", (map: CelMap) => BigInt(map.size)),
      fn("size_string", "string -> int", (text: string) => BigInt(codePointCount(text))),
      method("string_size", "string -> int", (text: string) => BigInt(codePointCount(text))),
    ],
  ],
  ["!_", [fn("logical_not", "bool -> bool", (value: boolean) => !value)]],
  ["_&&_", [fn("logical_and", "bool, bool -> bool", unreachable)]],
  ["_||_", [fn("logical_or", "bool, bool -> bool", unreachable)]],
  ["_?_:_", [fn("conditional", "bool, A, A -> A", unreachable)]],
  ["@not_strictly_false", [fn("not_strictly_false", "bool -> bool", unreachable)]],
  [
    "_[_]",
    [
      fn("index_list", "list(A), int -> A", unreachable),
      fn("index_map", "map(A, B), A -> B", unreachable),
      fn("optional_list_index_int", "optional_type(list(V)), int -> optional_type(V)", unreachable),
      fn("optional_map_index_value", "optional_type(map(K, V)), K -> optional_type(V)", unreachable),
    ],
  ],
  [
    "_[?_]",
    [
      fn("list_optindex_optional_int", "list(V), int -> optional_type(V)", unreachable),
      fn("optional_list_optindex_optional_int", "optional_type(list(V)), int -> optional_type(V)", unreachable),
      fn("map_optindex_optional_value", "map(K, V), K -> optional_type(V)", unreachable),
      fn("optional_map_optindex_optional_value", "optional_type(map(K, V)), K -> optional_type(V)", unreachable),
    ],
  ],
  ["_?._", [fn("select_optional_field", "dyn, string -> optional_type(V)", unreachable)]],
];
