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
