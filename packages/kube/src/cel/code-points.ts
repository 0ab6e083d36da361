/** A string as its characters: positions in CEL count code points, not UTF-16 units. */
export type CodePoints = string | readonly string[];

const surrogate = /[\ud800-\udfff]/;

/** Splits a string only where that makes a difference; plain strings stay as they are. */
export function codePoints(text: string): CodePoints {
  return surrogate.test(text) ? Array.from(text) : text;
}

export function sliceCodePoints(points: CodePoints, start: number, end?: number): string {
  const part = points.slice(start, end);
  return typeof part === "string" ? part : part.join("");
}

/** The first position at or after `from` (or the last at or before it, when `backwards`) where `part` starts, or -1. */
export function findCodePoints(text: string, part: string, from: number, backwards: boolean): number {
  const points = codePoints(text);
  if (typeof points === "string") return backwards ? points.lastIndexOf(part, from) : points.indexOf(part, from);
  const units = points.slice(0, from).join("").length;
  const found = backwards ? text.lastIndexOf(part, units) : text.indexOf(part, units);
  return found < 0 ? -1 : Array.from(text.slice(0, found)).length;
}
