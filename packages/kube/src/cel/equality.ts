import { maxItems } from "./list.ts";
import { CelError, isList, isMap } from "./value.ts";
import type { CelList, CelMap, CelValue } from "./value.ts";

/** `a == b`. Numbers compare across types, other values of different types are unequal. */
export function equals(a: CelValue, b: CelValue, work?: Work): boolean {
  if (a === b) return true;
  if (typeof a === "string" || typeof b === "string") return false;
  if (a === null || b === null) return false;
  const left = numeric(a);
  if (left !== undefined) {
    const right = numeric(b);
    return right !== undefined && sameNumber(left, right);
  }
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && sameBytes(a, b);
  }
  switch (a.kind) {
    case "timestamp":
      return b.kind === "timestamp" && a.nanos === b.nanos;
    case "duration":
      return b.kind === "duration" && a.nanos === b.nanos;
    case "type":
      return b.kind === "type" && a.name === b.name;
    case "optional":
      if (b.kind !== "optional") return false;
      if (a.value === undefined || b.value === undefined) return a.value === b.value;
      return equals(a.value, b.value, work);
    case "opaque":
      return b.kind === "opaque" && a.typeName === b.typeName && a.equals(b);
    case "list":
      return isList(b) && sameLists(a, b, work ?? { left: maxItems });
    case "map":
      return isMap(b) && sameMaps(a, b, work ?? { left: maxItems });
    case "uint":
      return false;
  }
}

/** How many items may still be compared: lists that hold the same list many times could keep a comparison busy for ever. */
interface Work {
  left: number;
}

function spend(work: Work, items: number): void {
  work.left -= items;
  if (work.left < 0) throw new CelError("values are too large to compare");
}

/** Compares exactly: a double equals an integer only when it is that integer. */
function sameNumber(a: bigint | number, b: bigint | number): boolean {
  if (typeof a === typeof b) return a === b;
  const [integer, double] = typeof a === "bigint" ? [a, b as number] : [b as bigint, a];
  return Number.isInteger(double) && BigInt(double) === integer;
}

function numeric(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "uint"
    ? value.value
    : undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function sameLists(a: CelList, b: CelList, work: Work): boolean {
  if (a.equals !== undefined) return a.equals(b);
  if (a.size !== b.size) return false;
  spend(work, a.size);
  for (let i = 0; i < a.size; i++) if (!equals(a.at(i), b.at(i), work)) return false;
  return true;
}

function sameMaps(a: CelMap, b: CelMap, work: Work): boolean {
  if (a.equals !== undefined) return a.equals(b);
  if (a.size !== b.size) return false;
  spend(work, a.size);
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined || !equals(a.get(key)!, other, work)) return false;
  }
  return true;
}
