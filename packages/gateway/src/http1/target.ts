import { BadMessage } from "./bad-message.ts";
import { HEX, PLAIN_PATH, QUERY } from "./characters.ts";

/** What is done with paths that backends may read differently than we do. */
export interface TargetRules {
  /** Escaped slashes, backslashes and NULs in a path: refused, or passed on as they came. A backslash as such is always refused. */
  readonly escapedSlashes: "refuse" | "pass";
  /** Whether `//` becomes `/`. */
  readonly mergeSlashes: boolean;
}

const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Brings an origin-form target to its normal form. Throws `BadMessage`. */
export function normalTarget(target: string, rules: TargetRules): string {
  let at = 0;
  let before = 0;
  let isNormal = target.charCodeAt(0) === SLASH;
  if (!isNormal) throw new BadMessage(400, "the target is not a path");
  for (; at < target.length; at++) {
    const code = target.charCodeAt(at);
    if (code === QUESTION) break;
    if (code === PERCENT) isNormal = false;
    else if (code === DOT || code === SLASH) {
      if (before === SLASH && (code === DOT || rules.mergeSlashes)) isNormal = false;
    } else if (PLAIN_PATH[code] !== 1) throw new BadMessage(400, "the path has a character that paths cannot have");
    before = code;
  }
  const end = at;
  for (at++; at < target.length; at++)
    if (QUERY[target.charCodeAt(at)] !== 1) {
      throw new BadMessage(400, "the query has a character that queries cannot have");
    }
  if (isNormal) return target;
  return resolved(unescaped(target.slice(0, end), rules), rules.mergeSlashes) + target.slice(end);
}

/** Decodes escapes of characters that need none; the others in upper case. */
function unescaped(path: string, rules: TargetRules): string {
  let text = "";
  let from = 0;
  for (let at = path.indexOf("%"); at !== -1; at = path.indexOf("%", from)) {
    const high = HEX[path.charCodeAt(at + 1)] ?? 255;
    const low = HEX[path.charCodeAt(at + 2)] ?? 255;
    if (high === 255 || low === 255) throw new BadMessage(400, "the path has a percent sign that escapes nothing");
    const code = high * 16 + low;
    const character = String.fromCharCode(code);
    text += path.slice(from, at);
    from = at + 3;
    if (code === 0 || character === "/" || character === "\\") {
      if (rules.escapedSlashes === "refuse")
        throw new BadMessage(400, "the path has an escaped slash, backslash or NUL");
      text += path.slice(at, from);
    } else if (UNRESERVED.test(character)) text += character;
    else text += path.slice(at, from).toUpperCase();
  }
  return text + path.slice(from);
}

/** Resolves dot segments; none leads above the root. */
function resolved(path: string, mergeSlashes: boolean): string {
  const segments: string[] = [];
  const given = path.slice(1).split("/");
  given.forEach((segment, index) => {
    const isLast = index === given.length - 1;
    if (segment === "..") {
      segments.pop();
      if (isLast) segments.push("");
    } else if (segment === ".") {
      if (isLast) segments.push("");
    } else if (segment !== "" || isLast || !mergeSlashes) segments.push(segment);
  });
  return `/${segments.join("/")}`;
}
