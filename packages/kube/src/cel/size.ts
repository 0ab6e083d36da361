import type { CelValue } from "./value.ts";

/** The number of code points in a string. */
export function codePointCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/** How large a value is for the cost of working on it: characters, bytes, items or entries; 1 for all others. */
export function sizeForCost(value: CelValue): number {
  if (typeof value === "string") return codePointCount(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  switch (value.kind) {
    case "list":
    case "map":
      return value.size;
    case "optional":
      return value.value === undefined ? 1 : sizeForCost(value.value);
    case "opaque":
      return "costSize" in value && typeof value.costSize === "number" ? value.costSize : 1;
    default:
      return 1;
  }
}
