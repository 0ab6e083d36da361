import { quote } from "../quote.ts";
import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { canonicalJson } from "./canonical-json.ts";

/**
 * One step of a field path, in the form that fieldsV1 writes: `f:name` for a field or map key, `k:{"name":"x"}` for an item
 * of a list of objects, `v:"x"` for an item of a set, `i:0` for an index. Equal steps are equal strings.
 */
export type PathElement = string;

/** A field or a key of a map. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** An item of a list of objects, by the fields that name it. They must be in order of their names. */
export function keyElement(fields: readonly (readonly [name: string, value: Json])[]): PathElement {
  return `k:{${fields.map(([name, value]) => `${canonicalJson(name)}:${canonicalJson(value)}`).join(",")}}`;
}

/** An item of a set, by its value. */
export function valueElement(value: Json): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** Reads a step of a fieldsV1 that anyone may have written. Undefined when it is not one. */
export function parseElement(text: string): PathElement | undefined {
  const body = text.slice(2);
  switch (text.slice(0, 2)) {
    case "f:":
      return text;
    case "i:":
      return /^[-+]?[0-9]+$/.test(body) ? `i:${Number(body)}` : undefined;
    case "v:": {
      const value = parseJsonText(body);
      return value === undefined ? undefined : valueElement(value);
    }
    case "k:": {
      const value = parseJsonText(body);
      return isObject(value) ? keyElement(sortedEntries(value)) : undefined;
    }
    default:
      return undefined;
  }
}

function parseJsonText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function sortedEntries(value: JsonObject): [string, Json][] {
  return Object.keys(value)
    .sort()
    .map((key) => [key, value[key]!]);
}

/** A step as conflicts print it: `.name`, `[name="x",port=80]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const body = element.slice(2);
  switch (element.charAt(0)) {
    case "f":
      return `.${body}`;
    case "k": {
      const fields = sortedEntries(JSON.parse(body) as JsonObject);
      return `[${fields.map(([name, value]) => `${name}=${formatValue(value)}`).join(",")}]`;
    }
    case "v":
      return `[=${formatValue(JSON.parse(body) as Json)}]`;
    default:
      return `[${body}]`;
  }
}

function formatValue(value: Json): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(",")}]`;
  if (isObject(value))
    return sortedEntries(value)
      .map(([name, item]) => `${name}=${formatValue(item)}`)
      .join("");
  return String(value);
}

const RANK: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** Sorts the steps of one level, in place, into the order of fieldsV1: fields, keys, values, indexes. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.every((element) => element.startsWith("f:"))) return elements.sort();
  const read = new Map(
    elements.map((element) => [element, element.startsWith("f:") ? element : (JSON.parse(element.slice(2)) as Json)]),
  );
  return elements.sort((a, b) => {
    const rank = RANK[a.charAt(0)]! - RANK[b.charAt(0)]!;
    if (rank !== 0) return rank;
    const [left, right] = [read.get(a)!, read.get(b)!];
    if (a.startsWith("k:"))
      return compareFieldLists(sortedEntries(left as JsonObject), sortedEntries(right as JsonObject));
    return compareValues(left, right);
  });
}

function compareFieldLists(a: [string, Json][], b: [string, Json][]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareText(a[i]![0], b[i]![0]) || compareValues(a[i]![1], b[i]![1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const TYPE_RANK: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2, object: 3 };

function compareValues(a: Json, b: Json): number {
  if (typeof a !== typeof b) return TYPE_RANK[typeof a]! - TYPE_RANK[typeof b]!;
  if (typeof a === "number") return a - (b as number);
  if (typeof a === "boolean") return Number(a) - Number(b);
  if (typeof a === "string") return compareText(a, b as string);
  return compareText(canonicalJson(a), canonicalJson(b));
}
