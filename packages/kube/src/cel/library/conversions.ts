import { formatDouble, plainDouble } from "../format-double.ts";
import { fn } from "../function.ts";
import type { Library } from "../function.ts";
import { duration, formatTimestamp, parseDuration, parseTimestamp, second, timestamp } from "../time.ts";
import type { CelDuration, CelTimestamp } from "../time.ts";
import { CelError, CelTypeName, CelUint, typeNameOf } from "../value.ts";
import type { CelValue } from "../value.ts";
import { checkedInt } from "./arithmetic.ts";

const identity = (value: CelValue): CelValue => value;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function toBool(text: string): boolean {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
  throw conversionError("bool");
}

function bytesToString(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function doubleToInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new CelError("integer overflow");
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): CelUint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new CelError("unsigned integer overflow");
  return new CelUint(BigInt(Math.trunc(value)));
}

function conversionError(to: string): CelError {
  return new CelError(`type conversion error from 'string' to '${to}'`);
}

/** What no 64 bits hold is not even read: to read millions of digits takes long. */
const MOST_DIGITS = 20;

/** The value of digits; undefined when there are none, others than digits, or too many. */
function readDigits(text: string): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const digits = text.replace(/^0+(?=.)/, "");
  return digits.length > MOST_DIGITS ? undefined : BigInt(digits);
}

function parseInteger(text: string): bigint {
  const size = readDigits(text.replace(/^[+-]/, ""));
  if (size === undefined) throw conversionError("int");
  const value = text.startsWith("-") ? -size : size;
  if (BigInt.asIntN(64, value) !== value) throw conversionError("int");
  return value;
}

function parseUnsigned(text: string): CelUint {
  const value = readDigits(text);
  if (value === undefined || BigInt.asUintN(64, value) !== value) throw conversionError("uint");
  return new CelUint(value);
}

const doublePattern = /^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?)$|^nan$/i;

/** Reads a double as Go's strconv does, `Inf` and `NaN` included. */
function parseDouble(text: string): number {
  if (!doublePattern.test(text)) throw conversionError("double");
  const word = text.toLowerCase().replace(/^\+/, "");
  if (word === "nan") return Number.NaN;
  if (word.includes("inf")) return word.startsWith("-") ? -Infinity : Infinity;
  const value = Number(text);
  if (!Number.isFinite(value)) throw conversionError("double");
  return value;
}

function required<T>(value: T | undefined, to: string): T {
  if (value === undefined) throw conversionError(to);
  return value;
}

/** The text of a duration: seconds in plain digits. */
export function durationToString(value: CelDuration): string {
  return `${plainDouble(Number(value.nanos / second) + Number(value.nanos % second) / 1e9)}s`;
}

/** Functions named after types, which convert to them. */
export const conversions: Library = [
  ["type", [fn("type", "A -> type(A)", (value: CelValue) => new CelTypeName(typeNameOf(value)))]],
  ["dyn", [fn("to_dyn", "A -> dyn", identity)]],
  ["bool", [fn("bool_to_bool", "bool -> bool", identity), fn("string_to_bool", "string -> bool", toBool)]],
  [
    "bytes",
    [
      fn("bytes_to_bytes", "bytes -> bytes", identity),
      fn("string_to_bytes", "string -> bytes", (text: string) => encoder.encode(text)),
    ],
  ],
  [
    "double",
    [
      fn("double_to_double", "double -> double", identity),
      fn("int64_to_double", "int -> double", (value: bigint) => Number(value)),
      fn("string_to_double", "string -> double", parseDouble),
      fn("uint64_to_double", "uint -> double", (value: CelUint) => Number(value.value)),
    ],
  ],
  [
    "duration",
    [
      fn("duration_to_duration", "duration -> duration", identity),
      fn("int64_to_duration", "int -> duration", (value: bigint) => duration(value)),
      fn("string_to_duration", "string -> duration", (text: string) =>
        required(parseDuration(text), "google.protobuf.Duration"),
      ),
    ],
  ],
  [
    "int",
    [
      fn("int64_to_int64", "int -> int", identity),
      fn("double_to_int64", "double -> int", doubleToInt),
      fn("duration_to_int64", "duration -> int", (value: CelDuration) => value.nanos),
      fn("string_to_int64", "string -> int", parseInteger),
      fn("timestamp_to_int64", "timestamp -> int", (value: CelTimestamp) => floorDivide(value.nanos, second)),
      fn("uint64_to_int64", "uint -> int", (value: CelUint) => checkedInt(value.value)),
    ],
  ],
  [
    "string",
    [
      fn("string_to_string", "string -> string", identity),
      fn("bool_to_string", "bool -> string", String),
      fn("bytes_to_string", "bytes -> string", bytesToString),
      fn("double_to_string", "double -> string", (value: number) => formatDouble(value, 6)),
      fn("duration_to_string", "duration -> string", durationToString),
      fn("int64_to_string", "int -> string", String),
      fn("timestamp_to_string", "timestamp -> string", formatTimestamp),
      fn("uint64_to_string", "uint -> string", (value: CelUint) => value.value.toString()),
    ],
  ],
  [
    "timestamp",
    [
      fn("timestamp_to_timestamp", "timestamp -> timestamp", identity),
      fn("int64_to_timestamp", "int -> timestamp", (value: bigint) => timestamp(value * second)),
      fn("string_to_timestamp", "string -> timestamp", (text: string) =>
        required(parseTimestamp(text), "google.protobuf.Timestamp"),
      ),
    ],
  ],
  [
    "uint",
    [
      fn("uint64_to_uint64", "uint -> uint", identity),
      fn("double_to_uint64", "double -> uint", doubleToUint),
      fn("int64_to_uint64", "int -> uint", (value: bigint) => {
        if (value < 0n) throw new CelError("unsigned integer overflow");
        return new CelUint(value);
      }),
      fn("string_to_uint64", "string -> uint", parseUnsigned),
    ],
  ],
];

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
