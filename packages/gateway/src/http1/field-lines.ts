import { isToken } from "./characters.ts";
import { CHUNKED } from "./message-fields.ts";
import { ownFieldOf } from "./own-fields.ts";

/** What would end a line, now or once it is written as single bytes. */
const UNFIT = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Fields, name and value by turns, as lines, each with its CRLF. Framing and hop-by-hop fields are left out whoever put them there, and so is everything that
 * would not be one line: this is the last place that can tell.
 */
export function fieldLines(flat: readonly string[]): string {
  let lines = "";
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at] ?? "";
    const value = flat[at + 1] ?? "";
    if (ownFieldOf(name) !== undefined || !isToken(name) || UNFIT.test(value)) continue;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** How long the body is, as a line. */
export function framingLine(length: number): string {
  if (length >= 0) return `content-length: ${length}\r\n`;
  return length === CHUNKED ? "transfer-encoding: chunked\r\n" : "";
}
