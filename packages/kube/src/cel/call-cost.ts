import { sizeForCost } from "./size.ts";
import { isList, isMap } from "./value.ts";
import type { CelValue } from "./value.ts";

/** What a call costs: a fixed amount, or a function of its arguments (`left` is what the budget still has) or of its result. */
export type CallCost =
  | { readonly kind: "fixed"; readonly cost: number }
  | { readonly kind: "arguments"; readonly cost: (args: readonly CelValue[], left: number) => number }
  | { readonly kind: "result"; readonly cost: (result: CelValue) => number };

/** The cost of reading a string once, per character. */
export const perCharacter = 0.1;
/** The cost of a regular expression, per character of the pattern and unit of text. */
export const perPatternCharacter = 0.25;
export const listCreation = 10;
export const mapCreation = 30;
export const structCreation = 40;
const authorizationCheck = 350_000;

const one: CallCost = { kind: "fixed", cost: 1 };

/** The cost of a call at run time. `overload` is empty when it is only known then. */
export function callCost(fn: string, overload: string): CallCost {
  return byFunction.get(fn) ?? byOverload.get(overload) ?? one;
}

const read = (value: CelValue | undefined, times = 1): number =>
  value === undefined ? 0 : Math.ceil(sizeForCost(value) * times * perCharacter);

const ofArguments = (cost: (args: readonly CelValue[], left: number) => number): CallCost => ({
  kind: "arguments",
  cost,
});
const firstRead = ofArguments(([text]) => read(text));
const regex = ofArguments(
  ([text, pattern]) =>
    Math.ceil((1 + sizeForCost(text!)) * perCharacter) * Math.ceil(sizeForCost(pattern!) * perPatternCharacter),
);
const smaller = ofArguments(([a, b]) => Math.ceil(Math.min(sizeForCost(a!), sizeForCost(b!)) * perCharacter));
const both = ofArguments(([a, b]) => Math.ceil((sizeForCost(a!) + sizeForCost(b!)) * perCharacter));

const selector = ofArguments(([, text]) => {
  const size = sizeForCost(text!);
  return (
    listCreation + Math.ceil(size * perCharacter) + Math.ceil(Math.ceil(size * 0.5) * (listCreation + structCreation))
  );
});
const traversal = ofArguments(([list], left) => traversalCost(list!, left));
const addressIn = ofArguments(([cidr, other]) => read(cidr, 2) + (typeof other === "string" ? read(other) : 0));
const rangeIn = ofArguments(
  ([cidr, other]) => read(cidr, 2) + read(cidr) + 1 + (typeof other === "string" ? read(other) : 0),
);
const formatPattern = ofArguments(([format, text]) => {
  const size =
    typeof format === "object" && format !== null && "patternSize" in format ? Number(format.patternSize) : 0;
  return Math.ceil((1 + sizeForCost(text!)) * perCharacter) * Math.ceil(size * perPatternCharacter);
});

function pairs(factor: number): CallCost {
  return ofArguments(([a, b]) => sizeForCost(a!) * sizeForCost(b!) * factor + 1);
}

/** A list of a size that follows from the arguments: paid for before it is made. */
function newList(size: (args: readonly CelValue[]) => number): CallCost {
  return ofArguments((args) => Math.floor(size(args)) + 1 + listCreation);
}

function sortIds(suffix: string): string[] {
  const types = [
    "int",
    "uint",
    "double",
    "bool",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "string",
    "bytes",
  ];
  return types.map((type) => `list_${type}_${suffix}`);
}

/** The cost of comparing all items of a list with each other. */
function selfCompare(list: CelValue): number {
  const size = sizeForCost(list);
  const first = isList(list) && size > 0 ? list.at(0) : undefined;
  const factor = typeof first === "string" || first instanceof Uint8Array ? 2 + perCharacter : 2;
  return size * size * factor;
}

const byFunction: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ["check", { kind: "fixed", cost: authorizationCheck }],
  ["fieldSelector", selector],
  ["labelSelector", selector],
  ...each(["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"], traversal),
  ...each(
    [
      "url",
      "lowerAscii",
      "upperAscii",
      "substring",
      "trim",
      "cidr",
      "isIP",
      "isCIDR",
      "quantity",
      "isQuantity",
      "semver",
      "isSemver",
    ],
    firstRead,
  ),
  ...each(
    ["replace", "split", "ip.isCanonical"],
    ofArguments(([text]) => read(text, 2)),
  ),
  ["join", { kind: "result", cost: (result) => read(result, 2) }],
  ...each(["find", "findAll"], regex),
  ["ip", ofArguments(([text]) => (typeof text === "string" ? read(text) : 1))],
  ["containsIP", addressIn],
  ["containsCIDR", rangeIn],
  ["validate", formatPattern],
]);

const byOverload: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...each(
    ["starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string", "strings_quote", "string_format"],
    firstRead,
  ),
  ["in_list", ofArguments(([, list]) => sizeForCost(list!))],
  ...each(
    ["less", "greater", "less_equals", "greater_equals"].flatMap((name) => [`${name}_string`, `${name}_bytes`]),
    smaller,
  ),
  [
    "equals",
    ofArguments(([a, b]) => (isFixed(a!) ? 1 : Math.ceil(Math.min(sizeForCost(a!), sizeForCost(b!)) * perCharacter))),
  ],
  ["not_equals", smaller],
  ["add_string", both],
  ["add_bytes", both],
  ["matches_string", regex],
  ...each(["list_sets_contains_list", "list_sets_intersects_list"], pairs(1)),
  ["list_sets_equivalent_list", pairs(2)],
  ["lists_range", newList(([count]) => Math.max(0, Number(count)))],
  ["list_slice", newList(([, start, end]) => Math.max(0, Number(end) - Number(start)))],
  ["list_reverse", newList(([list]) => sizeForCost(list!))],
  ["list_flatten", newList(([list]) => sizeForCost(list!))],
  ["list_flatten_int", newList(([list, depth]) => sizeForCost(list!) * Math.max(0, Number(depth)))],
  ["list_distinct", newList(([list]) => selfCompare(list!))],
  ...each(
    sortIds("sort"),
    newList(([list]) => selfCompare(list!)),
  ),
  ...each(
    sortIds("sortByAssociatedKeys"),
    newList(([, keys]) => selfCompare(keys!)),
  ),
  ["contains_string", ofArguments(([text, part]) => read(text) * read(part))],
]);

function each(names: readonly string[], cost: CallCost): [string, CallCost][] {
  return names.map((name) => [name, cost]);
}

function isFixed(value: CelValue): boolean {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "opaque";
}

/** The cost of walking a value down to its leaves. The walk ends when it is known to be more than `enough`. */
function traversalCost(value: CelValue, enough: number): number {
  if (typeof value === "string") return Math.floor(Buffer.byteLength(value) * perCharacter);
  if (value instanceof Uint8Array) return Math.floor(value.length * perCharacter);
  let cost = 0;
  if (isList(value)) {
    if (value.size > enough) return enough + 1;
    for (const item of value) {
      cost += traversalCost(item, enough);
      if (cost > enough) break;
    }
    return cost;
  }
  if (!isMap(value)) return 1;
  for (const key of value.keys()) {
    cost += traversalCost(key, enough) + traversalCost(value.get(key)!, enough);
    if (cost > enough) break;
  }
  return cost;
}
