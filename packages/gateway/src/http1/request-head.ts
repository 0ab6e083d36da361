import { normalAuthority } from "../exchange/authority.ts";
import type { RequestHead } from "../exchange/exchange.ts";
import { normalTarget } from "../exchange/target.ts";
import type { TargetRules } from "../exchange/target.ts";

import { BadMessage } from "./bad-message.ts";
import { SPACE, TOKEN } from "./characters.ts";
import type { FieldMemory } from "./field-memory.ts";
import type { Http1Limits } from "./limits.ts";
import { CHUNKED, UNFRAMED } from "./message-fields.ts";

/** How requests are read. */
export interface RequestRules extends TargetRules {
  readonly scheme: "http" | "https";
  readonly limits: Http1Limits;
  /** Fields with an underscore in their name. */
  readonly underscores: "refuse" | "drop" | "pass";
}

/** A request's head and what its connection has to know of it. */
export interface ParsedRequest {
  readonly head: RequestHead;
  /** Bytes of its body, 0 for none, or {@link CHUNKED}. */
  readonly length: number;
  readonly keepAlive: boolean;
  /** The body comes when `100 Continue` was sent. */
  readonly awaitsContinue: boolean;
}

/**
 * Reads a head: single-byte text from its first line on, up to and with the empty line that ends it. What is accepted has exactly one
 * meaning. `memory` is that of its connection, and says what fields may be. Throws `BadMessage`.
 */
export function parseRequestHead(text: string, rules: RequestRules, memory: FieldMemory): ParsedRequest {
  let at = 0;
  while (TOKEN[text.charCodeAt(at)] === 1) at++;
  if (at === 0 || text.charCodeAt(at) !== SPACE) throw new BadMessage(400, "the request has no proper method");
  const method = text.slice(0, at);
  const lineEnd = text.indexOf("\r\n", at);
  const targetEnd = text.indexOf(" ", at + 1);
  if (targetEnd === -1 || targetEnd >= lineEnd) throw new BadMessage(400, "the request line is not whole");
  const given = text.slice(at + 1, targetEnd);
  const version = versionOf(text.slice(targetEnd + 1, lineEnd));
  const { fields, host, length, connection, upgrade, expect } = memory.read(text, lineEnd + 2);
  if (host === undefined) throw new BadMessage(400, "there is no host");
  if (length === CHUNKED && version === "1.0") throw new BadMessage(400, "HTTP/1.0 knows no transfer encodings");
  if (method === "CONNECT") throw new BadMessage(501, "this is no proxy for CONNECT");
  let authority = authorityOf(host);
  let origin = given;
  if (given.charCodeAt(0) !== SLASH && given !== "*") {
    const absolute = ABSOLUTE.exec(given);
    if (absolute === null) throw new BadMessage(400, "the target is neither a path nor an address");
    authority = authorityOf(absolute[1] ?? "");
    const rest = absolute[2] ?? "";
    origin = rest.startsWith("/") ? rest : `/${rest}`;
  }
  const target = normalTarget(origin, method, rules);
  if (typeof target !== "string") throw new BadMessage(target.status, target.reason);
  const body = length === UNFRAMED ? 0 : length;
  const asksContinue = version === "1.1" && expect !== undefined;
  if (asksContinue && expect !== "100-continue") throw new BadMessage(417, "there is an unknown expectation");
  return {
    head: {
      method,
      scheme: rules.scheme,
      authority,
      target,
      version,
      fields,
      upgrade: upgrade === "websocket" && version === "1.1" && body === 0 && connection.upgrades ? upgrade : undefined,
    },
    length: body,
    keepAlive: version === "1.1" ? !connection.closes : connection.stays && !connection.closes,
    awaitsContinue: asksContinue && body !== 0,
  };
}

const SLASH = 0x2f;
const ABSOLUTE = /^https?:\/\/([^/?#]*)([/?].*)?$/i;

/** The host that was asked for last, as it came and in its normal form: most requests are for it. */
let lastHost = "";
let lastAuthority = "";

function authorityOf(host: string): string {
  if (host === lastHost && host !== "") return lastAuthority;
  const authority = normalAuthority(host);
  if (authority === undefined) throw new BadMessage(400, "the host is neither a name nor an address");
  lastHost = host;
  lastAuthority = authority;
  return authority;
}

function versionOf(text: string): "1.0" | "1.1" {
  if (text === "HTTP/1.1") return "1.1";
  if (text === "HTTP/1.0") return "1.0";
  if (/^HTTP\/\d\.\d$/.test(text)) throw new BadMessage(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
  throw new BadMessage(400, "the request line has no proper version");
}
