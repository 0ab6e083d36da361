import type { Json } from "../json/json.ts";
import type { TableField } from "./table.ts";

const zeros: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["string", ""],
  ["bool", false],
  ["int32", 0],
  ["int64", 0],
  ["float64", 0],
]);

/**
 * The default that the published schema has for a field: the declared one, or the zero value where the field is always
 * there. Merging by keys relies on it: an item that leaves out a key has the default of that key.
 */
export function schemaDefault(field: TableField): Json | undefined {
  if (field.d !== undefined) return field.d;
  if (field.p === 1) return undefined;
  return field.a === 1 || field.t.includes(".") ? elementDefault(field.t) : undefined;
}

/** The default of an item of a list, or of a value of a map. */
export function elementDefault(expression: string): Json | undefined {
  if (/^(?:\[\]|\{\}|~)/.test(expression)) return undefined;
  return expression.includes(".") ? {} : zeros.get(expression);
}
