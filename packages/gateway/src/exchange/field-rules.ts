const TOKEN = tokenTable();

/** Whether this can be the name of a field in its lower-case form. */
export function isFieldName(name: string): boolean {
  if (name.length === 0) return false;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code >= 128 || TOKEN[code] === 0) return false;
  }
  return true;
}

/**
 * Whether this can be the value of a field: bytes as latin1, without control characters other than the tab, and without blanks around
 * it. Bytes from 0x80 on are passed as they are.
 */
export function isFieldValue(value: string): boolean {
  const last = value.length - 1;
  for (let at = 0; at <= last; at++) {
    const code = value.charCodeAt(at);
    if (code > 0x20) {
      if (code === 0x7f || code > 0xff) return false;
    } else if ((code !== 0x20 && code !== 0x09) || at === 0 || at === last) return false;
  }
  return true;
}

/** Whether this can be a method: a token, whichever case. */
export function isMethod(text: string): boolean {
  return text.length <= 64 && isFieldName(text.toLowerCase());
}

const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Whether a field speaks about one connection, and ends at it. HTTP/2 has none of them; `te` is judged apart. */
export function isConnectionField(name: string): boolean {
  return CONNECTION_FIELDS.has(name);
}

/** Fields that trailers must not have: framing, routing, credentials, and what decides how a body is read. */
const NOT_IN_TRAILERS: ReadonlySet<string> = new Set([
  ...CONNECTION_FIELDS,
  "te",
  "trailer",
  "host",
  "content-length",
  "content-type",
  "content-encoding",
  "content-range",
  "authorization",
  "proxy-authorization",
  "proxy-authenticate",
  "www-authenticate",
  "cookie",
  "set-cookie",
  "cache-control",
  "expect",
  "max-forwards",
  "range",
]);

/** Whether a field may come in trailers. */
export function mayBeTrailer(name: string): boolean {
  return !NOT_IN_TRAILERS.has(name);
}

function tokenTable(): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz") table[character.charCodeAt(0)] = 1;
  return table;
}
