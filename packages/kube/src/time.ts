import { parseRfc3339 } from "./rfc3339.ts";

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

/**
 * Milliseconds (with a fraction where the text has one) of an RFC 3339 text, or undefined when it is none. Its letters are
 * upper case.
 */
export function parseTime(text: string): number | undefined {
  const parsed = /[tz]/.test(text) ? undefined : parseRfc3339(text);
  if (parsed === undefined) return undefined;
  return parsed.fraction === "" ? parsed.ms : parsed.ms + Number(`0.${parsed.fraction}`) * 1000;
}
