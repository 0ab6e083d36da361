import { method } from "../function.ts";
import type { Library, Overload } from "../function.ts";
import { splitMillis } from "../time.ts";
import type { CelDuration, CelTimestamp } from "../time.ts";
import { CelError } from "../value.ts";

/** Reads a timestamp's fields in a zone: UTC, `+01:00`, or a name of the time zone database. */
function inZone(time: CelTimestamp, zone: string): Date {
  const millis = Number(splitMillis(time).millis);
  if (zone === "" || zone === "UTC") return new Date(millis);
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return new Date(millis + (fixed[1] === "-" ? -minutes : minutes) * 60_000);
  }
  return shiftToNamedZone(millis, zone);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function shiftToNamedZone(millis: number, zone: string): Date {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    try {
      formatter = new Intl.DateTimeFormat("en-US", {
        timeZone: zone,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
    } catch {
      throw new CelError(`unknown time zone ${zone}`);
    }
    if (formatters.size < 100) formatters.set(zone, formatter);
  }
  const parts = new Map(formatter.formatToParts(millis).map((part) => [part.type, Number(part.value)]));
  const at = (part: Intl.DateTimeFormatPartTypes): number => parts.get(part) ?? 0;
  const shifted = Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second"));
  return new Date(shifted + (((millis % 1000) + 1000) % 1000));
}

function dayOfYear(date: Date): number {
  return Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) /
      86_400_000,
  );
}

function ofTimestamp(id: string, read: (date: Date) => number, zonedId = `${id}_with_tz`): Overload[] {
  return [
    method(id, "timestamp -> int", (time: CelTimestamp) => BigInt(read(inZone(time, "")))),
    method(zonedId, "timestamp, string -> int", (time: CelTimestamp, zone: string) => BigInt(read(inZone(time, zone)))),
  ];
}

function ofDuration(id: string, unit: bigint): Overload {
  return method(id, "duration -> int", (value: CelDuration) => value.nanos / unit);
}

/** Fields of timestamps and lengths of durations. */
export const times: Library = [
  ["getFullYear", ofTimestamp("timestamp_to_year", (date) => date.getUTCFullYear())],
  ["getMonth", ofTimestamp("timestamp_to_month", (date) => date.getUTCMonth())],
  ["getDayOfYear", ofTimestamp("timestamp_to_day_of_year", dayOfYear)],
  ["getDayOfMonth", ofTimestamp("timestamp_to_day_of_month", (date) => date.getUTCDate() - 1)],
  ["getDate", ofTimestamp("timestamp_to_day_of_month_1_based", (date) => date.getUTCDate())],
  ["getDayOfWeek", ofTimestamp("timestamp_to_day_of_week", (date) => date.getUTCDay())],
  [
    "getHours",
    [
      ...ofTimestamp("timestamp_to_hours", (date) => date.getUTCHours()),
      ofDuration("duration_to_hours", 3_600_000_000_000n),
    ],
  ],
  [
    "getMinutes",
    [
      ...ofTimestamp("timestamp_to_minutes", (date) => date.getUTCMinutes()),
      ofDuration("duration_to_minutes", 60_000_000_000n),
    ],
  ],
  [
    "getSeconds",
    [
      ...ofTimestamp("timestamp_to_seconds", (date) => date.getUTCSeconds(), "timestamp_to_seconds_tz"),
      ofDuration("duration_to_seconds", 1_000_000_000n),
    ],
  ],
  [
    "getMilliseconds",
    [
      ...ofTimestamp("timestamp_to_milliseconds", (date) => date.getUTCMilliseconds()),
      ofDuration("duration_to_milliseconds", 1_000_000n),
    ],
  ],
];
