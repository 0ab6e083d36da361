import { isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";

/** A value as Go's %v prints it (`map[a:1 b:[x y]]`): how errors about strategic merge patches show one. */
export function formatGoValue(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${formatGoValue(value[key]!)}`);
  return `map[${entries.join(" ")}]`;
}

/** The Go type of a decoded JSON value, as errors name it. */
export function goType(value: Json): string {
  if (value === null) return "%!s(<nil>)";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return Array.isArray(value) ? "[]interface {}" : isObject(value) ? "map[string]interface {}" : "string";
}
