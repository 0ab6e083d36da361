/** How a listener reads the paths of its requests. */
export interface TargetRules {
  /** Escaped slashes, backslashes and NULs: refused, or passed on as they are (never decoded). */
  readonly escapedSlashes: "refuse" | "pass";
  /** Whether several slashes in a row become one. */
  readonly mergeSlashes: boolean;
  /** How long a target may be, in characters. */
  readonly maxLength: number;
}

/** Closed by default. */
export const TARGET_RULES: TargetRules = { escapedSlashes: "refuse", mergeSlashes: false, maxLength: 8192 };

/** Why a target is not taken: `status` is what the client gets. */
export interface TargetRefusal {
  readonly status: 400 | 414;
  readonly reason: string;
}

const SLASH = 0x2f;
const DOT = 0x2e;
const PERCENT = 0x25;
const QUESTION = 0x3f;

/** Of targets: everything visible except the sign of a fragment. Backslashes are for queries only. */
const CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) => (code > 0x20 && code < 0x7f && code !== 0x23 ? 1 : 0));
const BACKSLASH = 0x5c;
const UNRESERVED = /[A-Za-z0-9._~-]/u;

/**
 * The normal form of a request's target: path with needless escapes decoded, other escapes in capitals, dot segments resolved (none leads above the root), and the
 * query as it came. Takes the origin form (`/path?query`) or `*`; the latter is for OPTIONS only. Most targets are in their normal
 * form, and come back as they are. The normal form of a normal form is itself.
 */
export function normalTarget(raw: string, method: string, rules: TargetRules = TARGET_RULES): string | TargetRefusal {
  if (raw.length > rules.maxLength) return { status: 414, reason: "the target is too long" };
  if (raw.charCodeAt(0) !== SLASH) {
    if (raw === "*" && method === "OPTIONS") return raw;
    return refusal("the target does not begin with a slash");
  }
  let needsWork = false;
  let before = 0;
  let at = 0;
  for (; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === QUESTION) break;
    if (CHARACTERS[code] !== 1 || code === BACKSLASH) return refusal("the path has a character that paths cannot have");
    if (code === PERCENT || (before === SLASH && (code === DOT || code === SLASH))) needsWork = true;
    before = code;
  }
  for (let next = at + 1; next < raw.length; next++)
    if (CHARACTERS[raw.charCodeAt(next)] !== 1) return refusal("the query has a character that queries cannot have");
  if (!needsWork) return raw;
  const path = normalPath(raw.slice(0, at), rules);
  return typeof path === "string" ? path + raw.slice(at) : path;
}

function normalPath(raw: string, rules: TargetRules): string | TargetRefusal {
  const decoded = decodeNeedless(raw, rules);
  if (typeof decoded !== "string") return decoded;
  const segments = decoded.split("/");
  const kept: string[] = [];
  const last = segments.length - 1;
  for (let at = 1; at <= last; at++) {
    const segment = segments[at] ?? "";
    if (segment === "..") kept.pop();
    else if (segment !== "." && !(segment === "" && rules.mergeSlashes && at < last)) {
      kept.push(segment);
      continue;
    }
    if (at === last && segment !== "") kept.push("");
  }
  return `/${kept.join("/")}`;
}

/** Decodes what needs no escape; other escapes in capitals. */
function decodeNeedless(raw: string, rules: TargetRules): string | TargetRefusal {
  let text = "";
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code !== PERCENT) {
      text += raw.charAt(at);
      continue;
    }
    const high = hex(raw.charCodeAt(at + 1));
    const low = hex(raw.charCodeAt(at + 2));
    if (high === -1 || low === -1) return refusal("the path has an escape that is none");
    const byte = high * 16 + low;
    const isSeparator = byte === 0 || byte === SLASH || byte === BACKSLASH;
    if (isSeparator && rules.escapedSlashes === "refuse")
      return refusal("the path has an escaped slash, backslash or NUL");
    const character = String.fromCharCode(byte);
    const given = raw.slice(at, at + 3);
    text += UNRESERVED.test(character) ? character : isSeparator ? given : given.toUpperCase();
    at += 2;
  }
  return text;
}

/**
 * A path or target that a configuration writes, with the escapes that requests in their normal form have: `/café` and `/caf%c3%a9` are
 * `/caf%C3%A9`, `/%61` is `/a`. Escaped slashes, backslashes and NULs, and what is no escape, stay as they are.
 */
export function withNormalEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|[^\x21-\x7E]+/gu, (found) => {
    if (!found.startsWith("%"))
      return [...Buffer.from(found)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
    const decoded = decodeNeedless(found, PASSING);
    return typeof decoded === "string" ? decoded : found;
  });
}

const PASSING: TargetRules = { ...TARGET_RULES, escapedSlashes: "pass" };

function refusal(reason: string): TargetRefusal {
  return { status: 400, reason };
}

/** The value of a hexadecimal digit; -1 for everything else, the end of the text included. */
function hex(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
