import type { Fields } from "../exchange/fields.ts";
import { BadMessage } from "./bad-message.ts";
import { CR, LF, SPACE, VALUE } from "./characters.ts";
import type { FieldMemory } from "./field-memory.ts";
import { CHUNKED } from "./message-fields.ts";

/** An answer's head and what its connection has to know of it. */
export interface ParsedResponse {
  readonly status: number;
  /** Without framing and hop-by-hop fields. Answers that have a length but no body (to HEAD, 304) keep their `content-length`. */
  readonly fields: Fields;
  /** Bytes of its body, 0 for none, chunked, or unframed: up to the end of the connection. */
  readonly length: number;
  readonly keepAlive: boolean;
  /** The protocol that the connection changes to, lower-case, when the status is 101. */
  readonly upgrade: string | undefined;
}

const STATUS_AT = "HTTP/1.1 ".length;

/** Reads a head, as strictly as a request's. `method` is that of the request. Throws `BadMessage`. */
export function parseResponseHead(text: string, method: string, memory: FieldMemory): ParsedResponse {
  const isNewer = text.startsWith("HTTP/1.1 ");
  if (!isNewer && !text.startsWith("HTTP/1.0 ")) throw new BadMessage(505, "the answer has no proper version");
  let status = 0;
  let at = STATUS_AT;
  for (; at < STATUS_AT + 3; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) throw new BadMessage(400, "the answer has no proper status");
    status = status * 10 + digit;
  }
  if (status < 100) throw new BadMessage(400, "the answer has no proper status");
  let code = text.charCodeAt(at);
  if (code === SPACE) {
    while (VALUE[code] === 1) code = text.charCodeAt(++at);
  }
  if (code !== CR || text.charCodeAt(at + 1) !== LF) throw new BadMessage(400, "the answer has no proper first line");
  const { fields, length, connection, upgrade } = memory.read(text, at + 2);
  if (length === CHUNKED && !isNewer) throw new BadMessage(400, "HTTP/1.0 knows no transfer encodings");
  const hasNone = method === "HEAD" || status === 304;
  if (hasNone && length >= 0) fields.add("content-length", String(length));
  return {
    status,
    fields,
    length: hasNone || status === 204 || status < 200 ? 0 : length,
    keepAlive: isNewer ? !connection.closes : connection.stays && !connection.closes,
    upgrade: status === 101 && connection.upgrades ? upgrade : undefined,
  };
}
