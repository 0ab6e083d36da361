/** Times on the wire are RFC 3339 texts; inside the program they are milliseconds since the Unix epoch. */

/** A `metav1.Time`: UTC, whole seconds, cut and not rounded. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== last.second) last = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/** Every write asks for the time, several times, and mostly within one second. */
let last = { second: Number.NaN, text: "" };

/** A `metav1.MicroTime`: UTC, always six digits after the second. */
export function formatMicroTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`;
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * Milliseconds (with a fraction where the text has one) of an RFC 3339 text, or undefined when it is none: a day that the
 * month does not have, an hour of 24 and a leap second are no times.
 */
export function parseTime(text: string): number | undefined {
  const m = RFC3339.exec(text);
  if (!m) return undefined;
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHour, offsetMinute] = [Number(m[9] ?? 0), Number(m[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  if (offsetHour > 24 || offsetMinute > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) return undefined;
  date.setUTCHours(hour, minute, second);
  const fraction = m[7] === undefined ? 0 : Number(`0.${m[7]}`) * 1000;
  const offset = (offsetHour * 60 + offsetMinute) * 60_000 * (m[8] === "-" ? -1 : 1);
  return date.getTime() - offset + fraction;
}
