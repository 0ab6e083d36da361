import type { Fields } from "../exchange/fields.ts";
import { isFieldValue } from "../exchange/field-rules.ts";
import { isToken } from "./characters.ts";
import { CHUNKED } from "./message-fields.ts";

/**
 * Fields as lines, each with its CRLF. Framing and hop-by-hop fields are left out whoever put them there, and so is everything that
 * would not be one line: this is the last place that can tell.
 */
export function fieldLines(fields: Fields): string {
  const { flat } = fields;
  let lines = "";
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at] ?? "";
    const value = flat[at + 1] ?? "";
    if (isOurs(name) || !isToken(name) || !isFieldValue(value)) continue;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** How long the body is, as a line. */
export function framingLine(length: number): string {
  if (length >= 0) return `content-length: ${length}\r\n`;
  return length === CHUNKED ? "transfer-encoding: chunked\r\n" : "";
}

/** Fields that say where a message ends or what becomes of its connection: only the writer knows. */
function isOurs(name: string): boolean {
  switch (name) {
    case "host":
    case "connection":
    case "content-length":
    case "transfer-encoding":
    case "keep-alive":
    case "proxy-connection":
    case "te":
    case "trailer":
    case "upgrade":
    case "expect":
      return true;
    default:
      return false;
  }
}
