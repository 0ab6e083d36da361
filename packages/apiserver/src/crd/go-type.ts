import { isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** A JSON value's type in Go's words, as errors tell it. */
export function goType(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}
