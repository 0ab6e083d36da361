import { at, child, duplicate, invalid, key as keyed } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { getOwn, isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Items that appear twice in `set` lists, and keys that appear twice in `map` lists. */
export function validateListTypes(value: Json, schema: SchemaNode): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.holds.keyedLists) walk(value, schema, "", errors);
  return errors;
}

function walk(value: Json | undefined, node: SchemaNode, path: FieldPath, errors: FieldError[]): void {
  if (!node.holds.keyedLists) return;
  if (Array.isArray(value)) {
    if (node.listType === "set") errors.push(...repeats(value).map((i) => duplicate(at(path, i), value[i]!)));
    if (node.listType === "map") checkMapList(value, node, path, errors);
    if (node.items) for (const [i, item] of value.entries()) walk(item, node.items, at(path, i), errors);
  } else if (isObject(value)) {
    if (typeof node.additional === "object") {
      for (const name of Object.keys(value)) walk(value[name], node.additional, keyed(path, name), errors);
    }
    for (const [name, property] of node.properties ?? [])
      walk(getOwn(value, name), property, child(path, name), errors);
  }
}

function checkMapList(list: readonly Json[], node: SchemaNode, path: FieldPath, errors: FieldError[]): void {
  const odd = list.findIndex((item) => item !== null && !isObject(item));
  if (odd >= 0) {
    errors.push(invalid(at(path, odd), list[odd]!, "must be an object for an array of list-type map"));
    return;
  }
  const keys = list.map((item) => keysOf(item, node.listMapKeys));
  for (const i of repeats(keys)) errors.push(duplicate(at(path, i), keys[i]!));
}

/** The keys of an item as an object, sorted as they are shown. */
function keysOf(item: Json, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  if (!isObject(item)) return keys;
  for (const name of names.toSorted()) {
    const value = getOwn(item, name);
    if (value !== undefined) setOwn(keys, name, value);
  }
  return keys;
}

/** The index at which each repeated value is met for the second time. */
function repeats(list: readonly Json[]): number[] {
  if (list.length < 2) return [];
  const times = new Map<string, number>();
  return list.flatMap((item, i) => {
    const text = canonical(item);
    const seen = (times.get(text) ?? 0) + 1;
    times.set(text, seen);
    return seen === 2 ? [i] : [];
  });
}

/** JSON with sorted keys: equal values have equal texts. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join(",")}}`;
}
