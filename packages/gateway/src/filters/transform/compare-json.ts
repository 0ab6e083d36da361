import type { Json } from "@gatewright/kube";
import { withPlainNumbers } from "./json-text.ts";

const RANKS: readonly string[] = ["boolean", "number", "string", "object"];
const MISSING = RANKS.length;

/** Order of values for sorting: booleans, numbers, text by code units, everything else as it came, and what is missing last. */
export function compareJson(one: Json | undefined, other: Json | undefined): number {
  const [a, b] = [plain(one), plain(other)];
  const order = rank(a) - rank(b);
  if (order !== 0) return order;
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "boolean" ? Number(a) - Number(b) : 0;
}

/** Scalars with ordinary numbers; the inside of other values does not matter. */
function plain(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  const isLarge = Array.isArray(value) || (typeof value === "object" && Object.getPrototypeOf(value) !== null);
  return isLarge ? value : withPlainNumbers(value);
}

function rank(value: Json): number {
  return value === null ? MISSING : RANKS.indexOf(typeof value);
}
