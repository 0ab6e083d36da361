import type { CelIssue } from "./issue.ts";

export type TokenKind =
  | "punct"
  | "ident"
  | "escaped-ident"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "keyword"
  | "end";

/** A token; `text` is the source as written. Keywords are `true`, `false`, `null` and `in`. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
}

const keywords = new Set(["true", "false", "null", "in"]);
const twoCharacter = new Set(["==", "!=", "<=", ">=", "&&", "||"]);
const oneCharacter = new Set("<>[]{}().,-!?:+*/%");

const space = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const double = /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const integer = /(?:0x[0-9a-fA-F]+|[0-9]+)/y;
const stringPrefix = /(?:[bB]?[rR]?)(?="|')/y;
const escape = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/** Splits an expression into tokens, ending with an `end` token. What is no token is reported and skipped. */
export function tokenize(source: string, issues: CelIssue[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const push = (kind: TokenKind, text: string) => {
    tokens.push({ kind, text, start: at });
    at += text.length;
  };
  while (true) {
    at += match(space)?.length ?? 0;
    if (at >= source.length) break;
    const prefix = match(stringPrefix);
    if (prefix !== undefined) {
      const scanned = scanString(source, at, prefix);
      if (scanned.ok) push(/^[bB]/.test(prefix) ? "bytes" : "string", source.slice(at, scanned.end));
      else if (prefix !== "") push("ident", prefix);
      else at = reportUnknown(source, at, scanned.end, issues);
      continue;
    }
    const name = match(identifier);
    if (name !== undefined) {
      push(keywords.has(name) ? "keyword" : "ident", name);
      continue;
    }
    const number = match(double);
    if (number !== undefined) {
      push("double", number);
      continue;
    }
    const digits = match(integer);
    if (digits !== undefined) {
      const suffix = source[at + digits.length];
      if (suffix === "u" || suffix === "U") push("uint", digits + suffix);
      else push("int", digits);
      continue;
    }
    const escaped = match(escapedIdentifier);
    if (escaped !== undefined) {
      push("escaped-ident", escaped);
      continue;
    }
    const pair = source.slice(at, at + 2);
    if (twoCharacter.has(pair)) push("punct", pair);
    else if (oneCharacter.has(source[at]!)) push("punct", source[at]!);
    else at = reportUnknown(source, at, unknownEnd(source, at), issues);
  }
  tokens.push({ kind: "end", text: "<EOF>", start: source.length });
  return tokens;
}

/** The start of a two-character operator takes the character that spoiled it along. */
function unknownEnd(source: string, at: number): number {
  const first = String.fromCodePoint(source.codePointAt(at)!);
  return at + first.length + ("=&|".includes(first) ? 1 : 0);
}

function reportUnknown(source: string, start: number, end: number, issues: CelIssue[]): number {
  const stop = Math.min(end, source.length);
  issues.push({ offset: start, message: `Syntax error: token recognition error at: '${source.slice(start, stop)}'` });
  return Math.max(stop, start + 1);
}

/** Finds where a string literal ends, or the first place that cannot belong to it. */
function scanString(source: string, start: number, prefix: string): { ok: boolean; end: number } {
  const raw = /[rR]$/.test(prefix);
  let at = start + prefix.length;
  const quote = source[at]!;
  const triple = source.startsWith(quote.repeat(3), at);
  const closing = triple ? quote.repeat(3) : quote;
  at += closing.length;
  while (at < source.length) {
    if (source.startsWith(closing, at)) return { ok: true, end: at + closing.length };
    const char = source[at]!;
    if (!triple && (char === "\n" || char === "\r")) return { ok: false, end: at + 1 };
    if (char === "\\" && !raw) {
      escape.lastIndex = at;
      const found = escape.exec(source)?.[0];
      if (found === undefined) return triple ? emptyString(start, prefix) : { ok: false, end: at + 2 };
      at += found.length;
    } else {
      at++;
    }
  }
  return triple ? emptyString(start, prefix) : { ok: false, end: at };
}

/** A triple quote that never closes is an empty string followed by the start of another. */
function emptyString(start: number, prefix: string): { ok: boolean; end: number } {
  return { ok: true, end: start + prefix.length + 2 };
}
