/** A time that the server would refuse, in the words of Go's parser. */
export class TimeTextError extends Error {}

const RFC3339 = "2006-01-02T15:04:05Z07:00";
const RFC3339_MICRO = "2006-01-02T15:04:05.000000Z07:00";
const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A `metav1.Time` as the server writes it back: UTC, whole seconds; null for the zero time. Throws TimeTextError. */
export function canonicalTime(text: string): string | null {
  const { seconds } = readTime(text, RFC3339);
  if (seconds === ZERO) return null;
  return USUAL.test(text) ? text : `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** A `metav1.MicroTime` as the server writes it back: UTC, six digits; null for the zero time. Throws TimeTextError. */
export function canonicalMicroTime(text: string): string | null {
  const { seconds, fraction } = readTime(text, RFC3339_MICRO);
  if (seconds === ZERO && fraction === "000000") return null;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** Seconds of Go's zero time, the start of the year 1. */
const ZERO = -62135596800;

function readTime(text: string, layout: string): { seconds: number; fraction: string } {
  let rest = text;
  const told = JSON.stringify(text);
  const expect = (part: string, pattern: RegExp): RegExpExecArray => {
    const found = pattern.exec(rest);
    if (!found)
      throw new TimeTextError(`parsing time ${told} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${part}"`);
    rest = rest.slice(found[0].length);
    return found;
  };
  const refuse = (what: string): never => {
    throw new TimeTextError(`parsing time ${told}: ${what} out of range`);
  };
  const year = Number(expect("2006", /^\d{4}/)[0]);
  expect("-", /^-/);
  const month = Number(expect("01", /^\d\d/)[0]);
  if (month < 1 || month > 12) refuse("month");
  expect("-", /^-/);
  const day = Number(expect("02", /^\d\d/)[0]);
  expect("T", /^T/);
  const hour = Number(expect("15", /^\d\d?/)[0]);
  if (hour > 23) refuse("hour");
  expect(":", /^:/);
  const minute = Number(expect("04", /^\d\d/)[0]);
  if (minute > 59) refuse("minute");
  expect(":", /^:/);
  const second = Number(expect("05", /^\d\d/)[0]);
  if (second > 59) refuse("second");
  let fraction = "";
  if (layout === RFC3339) expect("Z07:00", /^(?:[.,]\d+)?/);
  else fraction = expect(".000000", /^\.\d{6}/)[0].slice(1);
  const [, sign, zoneHour, zoneMinute] = expect("Z07:00", /^(?:Z|([+-])(\d\d):(\d\d))/);
  if (Number(zoneHour ?? 0) > 24) refuse("time zone offset hour");
  if (Number(zoneMinute ?? 0) > 60) refuse("time zone offset minute");
  if (rest !== "") throw new TimeTextError(`parsing time ${told}: extra text: ${JSON.stringify(rest)}`);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (day < 1 || date.getUTCMonth() !== month - 1) refuse("day");
  const offset = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60 * (sign === "-" ? -1 : 1);
  return { seconds: date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset, fraction };
}
