import { fn } from "../function.ts";
import type { Library } from "../function.ts";
import { concat } from "../list.ts";
import { CelDuration, duration, timestamp } from "../time.ts";
import type { CelTimestamp } from "../time.ts";
import { CelError, CelUint } from "../value.ts";
import type { CelList, CelValue } from "../value.ts";

const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);
const maxUint = 2n ** 64n - 1n;

/** An int64, or the error that an operation left its range. */
export function checkedInt(value: bigint): bigint {
  if (value > maxInt || value < minInt) throw new CelError("integer overflow");
  return value;
}

/** A uint64, or the error that an operation left its range. */
export function checkedUint(value: bigint): CelUint {
  if (value > maxUint || value < 0n) throw new CelError("unsigned integer overflow");
  return new CelUint(value);
}

function nonZero(value: bigint, message: string): bigint {
  if (value === 0n) throw new CelError(message);
  return value;
}

/** `a + b` for values whose types are only known now. */
export function add(a: CelValue, b: CelValue): CelValue {
  if (typeof a === "bigint" && typeof b === "bigint") return checkedInt(a + b);
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (a instanceof CelUint && b instanceof CelUint) return checkedUint(a.value + b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) return duration(a.nanos + b.nanos);
  throw new CelError("no such overload");
}

/** `+ - * / %` and the unary minus. */
export const arithmetic: Library = [
  [
    "_+_",
    [
      fn("add_bytes", "bytes, bytes -> bytes", (a: Uint8Array, b: Uint8Array) => new Uint8Array([...a, ...b])),
      fn("add_double", "double, double -> double", (a: number, b: number) => a + b),
      fn("add_duration_duration", "duration, duration -> duration", (a: CelDuration, b: CelDuration) =>
        duration(a.nanos + b.nanos),
      ),
      fn("add_duration_timestamp", "duration, timestamp -> timestamp", (a: CelDuration, b: CelTimestamp) =>
        timestamp(a.nanos + b.nanos),
      ),
      fn("add_timestamp_duration", "timestamp, duration -> timestamp", (a: CelTimestamp, b: CelDuration) =>
        timestamp(a.nanos + b.nanos),
      ),
      fn("add_int64", "int, int -> int", (a: bigint, b: bigint) => checkedInt(a + b)),
      fn("add_list", "list(A), list(A) -> list(A)", (a: CelList, b: CelList) => concat(a, b)),
      fn("add_string", "string, string -> string", (a: string, b: string) => a + b),
      fn("add_uint64", "uint, uint -> uint", (a: CelUint, b: CelUint) => checkedUint(a.value + b.value)),
    ],
  ],
  [
    "_-_",
    [
      fn("subtract_double", "double, double -> double", (a: number, b: number) => a - b),
      fn("subtract_duration_duration", "duration, duration -> duration", (a: CelDuration, b: CelDuration) =>
        duration(a.nanos - b.nanos),
      ),
      fn("subtract_int64", "int, int -> int", (a: bigint, b: bigint) => checkedInt(a - b)),
      fn("subtract_timestamp_duration", "timestamp, duration -> timestamp", (a: CelTimestamp, b: CelDuration) =>
        timestamp(a.nanos - b.nanos),
      ),
      fn("subtract_timestamp_timestamp", "timestamp, timestamp -> duration", (a: CelTimestamp, b: CelTimestamp) =>
        duration(a.nanos - b.nanos),
      ),
      fn("subtract_uint64", "uint, uint -> uint", (a: CelUint, b: CelUint) => checkedUint(a.value - b.value)),
    ],
  ],
  [
    "_*_",
    [
      fn("multiply_double", "double, double -> double", (a: number, b: number) => a * b),
      fn("multiply_int64", "int, int -> int", (a: bigint, b: bigint) => checkedInt(a * b)),
      fn("multiply_uint64", "uint, uint -> uint", (a: CelUint, b: CelUint) => checkedUint(a.value * b.value)),
    ],
  ],
  [
    "_/_",
    [
      fn("divide_double", "double, double -> double", (a: number, b: number) => a / b),
      fn("divide_int64", "int, int -> int", (a: bigint, b: bigint) => checkedInt(a / nonZero(b, "division by zero"))),
      fn(
        "divide_uint64",
        "uint, uint -> uint",
        (a: CelUint, b: CelUint) => new CelUint(a.value / nonZero(b.value, "division by zero")),
      ),
    ],
  ],
  [
    "_%_",
    [
      fn("modulo_int64", "int, int -> int", (a: bigint, b: bigint) => {
        if (a === minInt && b === -1n) throw new CelError("integer overflow");
        return a % nonZero(b, "modulus by zero");
      }),
      fn(
        "modulo_uint64",
        "uint, uint -> uint",
        (a: CelUint, b: CelUint) => new CelUint(a.value % nonZero(b.value, "modulus by zero")),
      ),
    ],
  ],
  [
    "-_",
    [
      fn("negate_double", "double -> double", (a: number) => -a),
      fn("negate_int64", "int -> int", (a: bigint) => checkedInt(-a)),
    ],
  ],
];
