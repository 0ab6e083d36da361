import { CelDuration, CelTimestamp } from "./time.ts";
import { CelError, CelUint, noSuchOverload } from "./value.ts";
import type { CelValue } from "./value.ts";

/** Orders two values of the same type, or two numbers of any types: negative, zero or positive. */
export function compare(a: CelValue, b: CelValue): number {
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  const left = orderable(a);
  const right = orderable(b);
  if (left !== undefined && right !== undefined) {
    if (Number.isNaN(left) || Number.isNaN(right)) throw new CelError("NaN values cannot be ordered");
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return order(a.nanos, b.nanos);
  if (a instanceof CelDuration && b instanceof CelDuration) return order(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  throw noSuchOverload();
}

function orderable(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof CelUint ? value.value : undefined;
}

function order(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders by code points, which for characters beyond 16 bits is not the order of JavaScript strings. */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return aboveSurrogates(left) - aboveSurrogates(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for code points above 0xffff, behind all other units. */
function aboveSurrogates(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
