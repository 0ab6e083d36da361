import { getOwn, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/**
 * Readers of decoded objects, whose types have been checked: a missing field reads as Go's zero value, as the rules of the
 * built-in kinds expect.
 */

/** The text of a field; empty when it is missing. */
export function text(object: JsonObject | undefined, field: string): string {
  const value = object?.[field];
  return typeof value === "string" ? value : "";
}

/** The number of a field; undefined when it is missing. */
export function number(object: JsonObject | undefined, field: string): number | undefined {
  const value = object?.[field];
  return typeof value === "number" ? value : undefined;
}

/** The number of a field; 0 when it is missing. */
export function count(object: JsonObject | undefined, field: string): number {
  return number(object, field) ?? 0;
}

/** Whether a field is true. */
export function flag(object: JsonObject | undefined, field: string): boolean {
  return object?.[field] === true;
}

/** The object of a field, or of a field of a field; undefined when any of them is missing. */
export function struct(object: JsonObject | undefined, ...path: readonly string[]): JsonObject | undefined {
  let found = object;
  for (const field of path) {
    const value = found?.[field];
    if (!isObject(value)) return undefined;
    found = value;
  }
  return found;
}

/** As {@link struct}, of what is always there: decoding puts in the structs that a client may leave out. */
export function structOf(object: JsonObject, ...path: readonly string[]): JsonObject {
  const found = struct(object, ...path);
  if (found === undefined) throw new Error(`an object was decoded without its ${path.join(".")}`);
  return found;
}

/** The spec of an object of a kind that always has one. */
export function specOf(object: JsonObject): JsonObject {
  return structOf(object, "spec");
}

const none: readonly never[] = Object.freeze([]);

/** The objects in a list; empty when it is missing. */
export function structs(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  const value = object?.[field];
  return Array.isArray(value) ? (value as JsonObject[]) : none;
}

/** The texts in a list; empty when it is missing. */
export function texts(object: JsonObject | undefined, field: string): readonly string[] {
  const value = object?.[field];
  return Array.isArray(value) ? (value as string[]) : none;
}

/** The entries of a map; empty when it is missing. */
export function entries(object: JsonObject | undefined, field: string): readonly (readonly [string, Json])[] {
  const value = struct(object, field);
  return value === undefined ? none : Object.entries(value);
}

/** The text under a key that a user chose. */
export function textAt(map: JsonObject | undefined, key: string): string | undefined {
  const value = map === undefined ? undefined : getOwn(map, key);
  return typeof value === "string" ? value : undefined;
}

/** Sets a field that has no value yet. */
export function setDefault(object: JsonObject, field: string, value: Json): void {
  if (!Object.hasOwn(object, field)) object[field] = value;
}

/** Sets a field, or takes it away where the value is undefined. */
export function setOrDrop(object: JsonObject, field: string, value: Json | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}
