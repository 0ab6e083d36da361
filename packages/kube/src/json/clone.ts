import { setOwn } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";

/** A deep copy that shares nothing with the original. */
export function deepClone<T extends Json>(value: T): T;
export function deepClone(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => deepClone(item));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, deepClone(value[key]!));
  return copy;
}
