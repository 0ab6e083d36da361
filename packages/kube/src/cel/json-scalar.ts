import { parseDate, parseDuration, parseTimestamp, CelDuration } from "./time.ts";
import type { CelType } from "./types.ts";
import { CelError } from "./value.ts";
import type { CelValue } from "./value.ts";

/** Reads a JSON scalar as its declared type. */
export function jsonScalar(value: boolean | number | string, type: CelType): CelValue {
  if (typeof value === "number") return jsonNumber(value, type);
  if (typeof value === "boolean") {
    if (type.kind === "bool" || type.kind === "dyn") return value;
    throw new CelError(`invalid data, expected ${type.kind}, got bool`);
  }
  switch (type.kind) {
    case "string":
    case "dyn":
      return value;
    case "timestamp":
      return required(parseTimestamp(value) ?? parseDate(value), `Invalid date-time formatted string ${value}`);
    case "duration":
      return required(parseDuration(value) ?? parseWordyDuration(value), `Invalid duration ${value}`);
    case "bytes":
      return new Uint8Array(Buffer.from(value, "base64"));
    default:
      throw new CelError(`invalid data, expected ${type.kind}, got string`);
  }
}

function jsonNumber(value: number, type: CelType): CelValue {
  switch (type.kind) {
    case "double":
      return value;
    case "int":
      if (Number.isInteger(value)) return BigInt(value);
      throw new CelError("invalid data, expected int, got float64");
    case "dyn":
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : value;
    default:
      throw new CelError(`invalid data, expected ${type.kind}, got number`);
  }
}

function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new CelError(message);
  return value;
}

const wordyUnits: ReadonlyMap<string, bigint> = new Map(
  (
    [
      [["ns", "nano", "nanos", "nanosecond", "nanoseconds"], 1n],
      [["us", "µs", "micro", "micros", "microsecond", "microseconds"], 1000n],
      [["ms", "milli", "millis", "millisecond", "milliseconds"], 1_000_000n],
      [["s", "sec", "secs", "second", "seconds"], 1_000_000_000n],
      [["m", "min", "mins", "minute", "minutes"], 60_000_000_000n],
      [["h", "hr", "hour", "hours"], 3_600_000_000_000n],
      [["d", "day", "days"], 86_400_000_000_000n],
      [["w", "week", "weeks", "wk"], 604_800_000_000_000n],
    ] as const
  ).flatMap(([names, nanos]) => names.map((name) => [name, nanos] as const)),
);

/** A run of digits is only tried from its beginning: the time it takes is linear, whatever a tenant writes. */
const WORDY_PART = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g;
const MOST_DIGITS = 19;

/** The `duration` format of schemas also takes words: `3 days`, `1 week 2 hours`. */
function parseWordyDuration(text: string): CelDuration | undefined {
  let nanos = 0n;
  let matched = false;
  for (const [, count, unit] of text.matchAll(WORDY_PART)) {
    const scale = wordyUnits.get(unit!.toLowerCase());
    if (scale === undefined || count!.length > MOST_DIGITS) return undefined;
    nanos += BigInt(count!) * scale;
    matched = true;
  }
  return matched ? new CelDuration(nanos) : undefined;
}
