import { parseGoDuration } from "../duration.ts";
import { parseRfc3339 } from "../rfc3339.ts";
import { CelError } from "./value.ts";

/** A point in time, in nanoseconds since 1970 (UTC). */
export class CelTimestamp {
  readonly kind = "timestamp";
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A length of time in nanoseconds, within the range of int64. */
export class CelDuration {
  readonly kind = "duration";
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export const second = 1_000_000_000n;
const earliest = -62135596800n * second;
const latest = 253402300800n * second - 1n;
const maxInt64 = 2n ** 63n - 1n;

/** A timestamp within the years 1 to 9999. */
export function timestamp(nanos: bigint): CelTimestamp {
  if (nanos < earliest || nanos > latest) throw new CelError("timestamp overflow");
  return new CelTimestamp(nanos);
}

export function duration(nanos: bigint): CelDuration {
  if (nanos > maxInt64 || nanos < -maxInt64 - 1n) throw new CelError("duration overflow");
  return new CelDuration(nanos);
}

/** Reads an RFC 3339 date and time; undefined when it is none. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const parsed = parseRfc3339(text);
  if (parsed === undefined) return undefined;
  const nanos = BigInt(parsed.ms) * 1_000_000n + BigInt(parsed.fraction.slice(0, 9).padEnd(9, "0"));
  return nanos < earliest || nanos > latest ? undefined : new CelTimestamp(nanos);
}

/** Reads `YYYY-MM-DD` as midnight UTC. */
export function parseDate(text: string): CelTimestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

/** A timestamp as RFC 3339 in UTC with as many fraction digits as it needs. */
export function formatTimestamp(time: CelTimestamp): string {
  const { millis, subMillis } = splitMillis(time);
  const text = new Date(Number(millis)).toISOString();
  const fraction = (text.slice(20, 23) + subMillis.toString().padStart(6, "0")).replace(/0+$/, "");
  return `${text.slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** Whole milliseconds (rounded down) and the nanoseconds on top. */
export function splitMillis(time: CelTimestamp): { millis: bigint; subMillis: bigint } {
  const subMillis = ((time.nanos % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return { millis: (time.nanos - subMillis) / 1_000_000n, subMillis };
}

/** Reads a duration as Go writes it (`1h30m`, `-1.5s`, `0`); undefined when it is none or too long. */
export function parseDuration(text: string): CelDuration | undefined {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? undefined : new CelDuration(nanos);
}
