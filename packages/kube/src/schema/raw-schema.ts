import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";

/**
 * Readers of a schema as it was written, for those who judge whether it is legal. Empty texts, false flags and empty lists
 * count as not written.
 */

export const textOf = (schema: JsonObject, key: string): string => {
  const value = getOwn(schema, key);
  return typeof value === "string" ? value : "";
};

export const isTrue = (schema: JsonObject, key: string): boolean => getOwn(schema, key) === true;

export const schemaAt = (schema: JsonObject, key: string): JsonObject | undefined => {
  const value = getOwn(schema, key);
  return isObject(value) ? value : undefined;
};

export const schemasAt = (schema: JsonObject, key: string): readonly JsonObject[] => {
  const value = getOwn(schema, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

export const textsAt = (schema: JsonObject, key: string): readonly string[] => {
  const value = getOwn(schema, key);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};

/** The schemas under a key that maps names to schemas, in order of names. */
export function namedSchemas(schema: JsonObject, key: string): readonly (readonly [string, JsonObject])[] {
  const map = getOwn(schema, key);
  if (!isObject(map)) return [];
  return Object.keys(map)
    .sort()
    .map((name) => [name, isObject(map[name]) ? map[name] : {}] as const);
}

/** Whether a keyword says anything. */
export function says(schema: JsonObject, key: string): boolean {
  const value: Json | undefined = getOwn(schema, key);
  if (value === undefined || value === null || value === "" || value === false) return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** Whether a keyword is there at all, even if false or empty. */
export const written = (schema: JsonObject, key: string): boolean => (getOwn(schema, key) ?? null) !== null;
