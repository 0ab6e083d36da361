import { formatDouble } from "./format-double.ts";
import type { CelValue } from "./value.ts";
import { CelUint } from "./value.ts";

/** A value inside an error message, such as the key in `no such key: data`. */
export function formatValue(value: CelValue): string {
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof CelUint) return value.value.toString();
  return String(value);
}
