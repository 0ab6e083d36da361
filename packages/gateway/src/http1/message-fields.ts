import { Fields } from "../exchange/fields.ts";
import { BadMessage } from "./bad-message.ts";
import { CAPITAL, CR, LF, NAME, SPACE, TAB, UNDERSCORE, VALUE } from "./characters.ts";
import { ownFieldOf } from "./own-fields.ts";

/** What is read of a message's fields apart from those that are passed on. */
export interface MessageFields {
  /** Without `host`, framing and hop-by-hop fields. */
  readonly fields: Fields;
  readonly host: string | undefined;
  /** How many bytes the body has; {@link CHUNKED}, or {@link UNFRAMED}. */
  readonly length: number;
  readonly connection: ConnectionOptions;
  readonly upgrade: string | undefined;
  readonly expect: string | undefined;
}

/** What a message says about its connection. */
export interface ConnectionOptions {
  readonly closes: boolean;
  readonly stays: boolean;
  readonly upgrades: boolean;
}

const NOTHING_SAID: ConnectionOptions = { closes: false, stays: false, upgrades: false };
const STAYS: ConnectionOptions = { closes: false, stays: true, upgrades: false };
const CLOSES: ConnectionOptions = { closes: true, stays: false, upgrades: false };

/** The body comes in chunks. */
export const CHUNKED = -1;
/** Nothing says how long the body is. */
export const UNFRAMED = -2;

const COLON = 0x3a;
/** The most digits of a content-length: more are not exact in a number. */
const LENGTH_DIGITS = 15;
/** `trim` would take more than the blanks of HTTP. */
const BLANKS = /^[ \t]+|[ \t]+$/g;
/**
 * Reads the lines of `text` from `at` up to `end`; each ends in CRLF, the last one too. Strict: tokens, colon, value, CRLF and nothing else.
 * `underscores` tells what becomes of names that have one, which some backends take for another name. Throws `BadMessage`.
 */
export function readFields(
  text: string,
  at: number,
  end: number,
  maxFields: number,
  underscores: "refuse" | "drop" | "pass",
): MessageFields {
  const flat: string[] = [];
  let host: string | undefined;
  let length = UNFRAMED;
  let connection: string | undefined;
  let upgrade: string | undefined;
  let expect: string | undefined;
  let count = 0;
  while (at < end) {
    if (++count > maxFields) throw new BadMessage(431, "there are too many fields");
    const start = at;
    let kinds = 0;
    let code = text.charCodeAt(at);
    let kind = NAME[code] ?? 0;
    while (kind !== 0) {
      kinds |= kind;
      code = text.charCodeAt(++at);
      kind = NAME[code] ?? 0;
    }
    if (code !== COLON || at === start) throw new BadMessage(400, "a field has no proper name");
    const given = text.slice(start, at);
    const name = (kinds & CAPITAL) === 0 ? given : given.toLowerCase();
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
    switch (ownFieldOf(name)) {
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
        connection = connection === undefined ? value : `${connection},${value}`;
        break;
      case "upgrade":
        upgrade = upgrade === undefined ? value.toLowerCase() : "";
        break;
      case "expect":
        expect = value.toLowerCase();
        break;
      case "dropped":
        break;
      default:
        if (underscores === "pass" || (kinds & UNDERSCORE) === 0) flat.push(name, value);
        else if (underscores === "refuse") throw new BadMessage(400, "the name of a field has an underscore");
    }
  }
  const fields = new Fields(flat);
  return { fields, host, length, connection: connectionOf(connection, fields), upgrade, expect };
}

/** What a `connection` field says; takes out what it names. */
function connectionOf(value: string | undefined, fields: Fields): ConnectionOptions {
  if (value === undefined) return NOTHING_SAID;
  if (value === "keep-alive" || value === "Keep-Alive") return STAYS;
  if (value === "close") return CLOSES;
  const said = { closes: false, stays: false, upgrades: false };
  for (const token of value.toLowerCase().split(",")) {
    const name = token.replaceAll(BLANKS, "");
    if (name === "close") said.closes = true;
    else if (name === "keep-alive") said.stays = true;
    else if (name === "upgrade") said.upgrades = true;
    else fields.remove(name);
  }
  return said;
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
