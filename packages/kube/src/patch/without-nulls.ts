import { isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** A new value of a patch, where null means that there is nothing to delete. Nulls that are items of lists stay. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) if (value[key] !== null) setOwn(result, key, withoutNulls(value[key]!));
  return result;
}
