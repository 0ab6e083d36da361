/** A JSON value as the wire has it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/**
 * A JSON object. Its keys come from users, so `__proto__` and `constructor` are keys like any other: read with
 * {@link getOwn}, write with {@link setOwn}.
 */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether a value is a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a key that a user chose. Never reaches the prototype. */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes a key that a user chose. `__proto__` becomes plain data instead of the object's prototype. */
export function setOwn(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** The value at a path of keys, or undefined as soon as a step is missing or not an object. */
export function getPath(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) {
    if (!isObject(at)) return undefined;
    at = getOwn(at, key);
  }
  return at;
}

/** The object at a path, made where missing. A value of another type on the way is replaced. */
export function ensurePath(object: JsonObject, ...path: readonly string[]): JsonObject {
  let at = object;
  for (const key of path) {
    const next = getOwn(at, key);
    if (isObject(next)) {
      at = next;
    } else {
      const made: JsonObject = {};
      setOwn(at, key, made);
      at = made;
    }
  }
  return at;
}
