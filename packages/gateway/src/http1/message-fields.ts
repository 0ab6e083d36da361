import { Fields } from "../exchange/fields.ts";
import { BadMessage } from "./bad-message.ts";
import { CR, LF, SPACE, TAB, TOKEN, VALUE } from "./characters.ts";

/** What is read of a message's fields apart from those that are passed on. */
export interface MessageFields {
  /** Without `host`, framing and hop-by-hop fields. */
  readonly fields: Fields;
  readonly host: string | undefined;
  /** How many bytes the body has; {@link CHUNKED}, or {@link UNFRAMED}. */
  readonly length: number;
  /** Tokens of `connection`, lower-case. */
  readonly connection: readonly string[] | undefined;
  readonly upgrade: string | undefined;
  readonly expect: string | undefined;
}

/** The body comes in chunks. */
export const CHUNKED = -1;
/** Nothing says how long the body is. */
export const UNFRAMED = -2;

const COLON = 0x3a;
const UNDERSCORE = 0x5f;
/** The most digits of a content-length: more are not exact in a number. */
const LENGTH_DIGITS = 15;

/** Names as they mostly come, and in lower case: saves making a new string for each. */
const NAMES: ReadonlyMap<string, string> = new Map(
  (
    "host user-agent accept accept-encoding accept-language accept-ranges age authorization cache-control connection " +
    "content-encoding content-length content-type cookie date etag expect expires if-match if-modified-since if-none-match " +
    "keep-alive last-modified location origin pragma range referer sec-fetch-dest sec-fetch-mode sec-fetch-site server " +
    "set-cookie strict-transport-security te trailer transfer-encoding upgrade upgrade-insecure-requests vary via " +
    "x-forwarded-for x-forwarded-host x-forwarded-proto x-powered-by x-request-id traceparent tracestate"
  )
    .split(" ")
    .flatMap((name): [string, string][] => [
      [name, name],
      [name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()), name],
    ]),
);

/**
 * Reads the lines of `text` from `at` on; each ends in CRLF, the last one too. Strict: tokens, colon, value, CRLF and nothing else.
 * `underscores` tells what becomes of names that have one, which some backends take for another name. Throws `BadMessage`.
 */
export function readFields(
  text: string,
  at: number,
  maxFields: number,
  underscores: "refuse" | "drop" | "pass",
): MessageFields {
  const flat: string[] = [];
  let host: string | undefined;
  let length = UNFRAMED;
  let connection: string[] | undefined;
  let upgrade: string | undefined;
  let expect: string | undefined;
  let count = 0;
  const end = text.length;
  while (at < end) {
    if (++count > maxFields) throw new BadMessage(431, "there are too many fields");
    const start = at;
    let hasUnderscore = false;
    let code = text.charCodeAt(at);
    while (TOKEN[code] === 1) {
      if (code === UNDERSCORE) hasUnderscore = true;
      code = text.charCodeAt(++at);
    }
    if (code !== COLON || at === start) throw new BadMessage(400, "a field has no proper name");
    const given = text.slice(start, at);
    const name = NAMES.get(given) ?? given.toLowerCase();
    code = text.charCodeAt(++at);
    while (code === SPACE || code === TAB) code = text.charCodeAt(++at);
    const valueStart = at;
    while (VALUE[code] === 1) code = text.charCodeAt(++at);
    if (code !== CR || text.charCodeAt(at + 1) !== LF) {
      throw new BadMessage(400, "a field has a character that fields cannot have");
    }
    let valueEnd = at;
    while (valueEnd > valueStart && isBlank(text.charCodeAt(valueEnd - 1))) valueEnd--;
    const value = text.slice(valueStart, valueEnd);
    at += 2;
    if (hasUnderscore && underscores !== "pass") {
      if (underscores === "refuse") throw new BadMessage(400, "the name of a field has an underscore");
      continue;
    }
    switch (name) {
      case "host":
        if (host !== undefined) throw new BadMessage(400, "there are two hosts");
        host = value;
        break;
      case "content-length":
        if (length !== UNFRAMED) throw new BadMessage(400, "the length of the body is told twice");
        length = lengthOf(value);
        break;
      case "transfer-encoding":
        if (length !== UNFRAMED) throw new BadMessage(400, "the length of the body is told twice");
        if (value.toLowerCase() !== "chunked") {
          throw new BadMessage(
            /^[a-z]+(?:, [a-z]+)*$/i.test(value) ? 501 : 400,
            "the transfer encoding is not chunked",
          );
        }
        length = CHUNKED;
        break;
      case "connection":
        connection = [...(connection ?? []), ...value.toLowerCase().split(",").map(trimmed)];
        break;
      case "upgrade":
        upgrade = upgrade === undefined ? value.toLowerCase() : "";
        break;
      case "expect":
        expect = value.toLowerCase();
        break;
      case "keep-alive":
      case "proxy-connection":
      case "proxy-authenticate":
      case "proxy-authorization":
      case "te":
      case "trailer":
        break;
      default:
        flat.push(name, value);
    }
  }
  const fields = new Fields(flat);
  if (connection !== undefined) for (const name of connection) fields.remove(name);
  return { fields, host, length, connection, upgrade, expect };
}

function lengthOf(value: string): number {
  if (value.length === 0 || value.length > LENGTH_DIGITS)
    throw new BadMessage(400, "the length of the body is no number");
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    const digit = value.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) throw new BadMessage(400, "the length of the body is no number");
    length = length * 10 + digit;
  }
  return length;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Without blanks of HTTP at its ends; `trim` would take more than those. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
