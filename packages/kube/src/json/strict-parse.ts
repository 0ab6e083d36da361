import { quote } from "../quote.ts";
import type { Json } from "./json.ts";
import { BodySyntaxError, MAX_DEPTH, explainJsonError, tooDeep } from "./json-syntax.ts";
import { decodeUtf8 } from "./utf8.ts";

/** A decoded JSON body. */
export interface ParsedJson {
  readonly value: Json;
  /** Keys that stand twice in one object, as strict validation tells them: `duplicate field "spec.bar"`. The last one won. */
  readonly duplicates: readonly string[];
}

/**
 * Reads a JSON body. Throws {@link BodySyntaxError} with Go's message when it is not JSON, or nests too deeply. Bytes that
 * are not UTF-8 become U+FFFD.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = wellFormed(decodeUtf8(bytes));
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw explainJsonError(bytes);
  }
  const keys = countKeys(text);
  return { value, duplicates: keys === keysOf(value, text) ? [] : findDuplicates(text) };
}

/** An escaped backslash, a surrogate pair, or half of one that stands alone. */
const SURROGATES = /\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** Half a surrogate pair is no character, and no encoder of UTF-8 could write it: it reads as U+FFFD. */
function wellFormed(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replaceAll(SURROGATES, (found) => (found.length === 6 ? "\\ufffd" : found));
}

/** The first number of valid JSON text that is too large for any number type. */
function hugeNumber(text: string): string {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g)) {
    if (!token.startsWith('"') && !Number.isFinite(Number(token))) return token;
  }
  return "";
}

/** Counts the keys of valid JSON text. Throws when it nests too deeply. */
function countKeys(text: string): number {
  let keys = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = endOfString(text, i);
        break;
      case 0x3a:
        keys++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) throw tooDeep(text.charAt(i));
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return keys;
}

/** Index of the quote that ends the string which starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
}

/** Fewer than the text has means that some were overwritten. Throws for numbers that nothing can hold. */
function keysOf(value: Json, text: string): number {
  if (typeof value !== "object" || value === null) {
    if (value === Infinity || value === -Infinity) {
      throw new BodySyntaxError(`json: cannot unmarshal number ${hugeNumber(text)} into Go value of type float64`);
    }
    return 0;
  }
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += keysOf(item, text);
    return count;
  }
  for (const key in value) count += 1 + keysOf(value[key]!, text);
  return count;
}

/** How many problems strict decoding tells before it stops. */
const MAX_TOLD = 100;

type Frame =
  | { readonly type: "object"; readonly path: string; readonly seen: Set<string>; key: string }
  | { readonly type: "array"; readonly path: string; index: number };

function pathInside(frame: Frame | undefined): string {
  if (frame === undefined) return "";
  if (frame.type === "array") return `${frame.path}[${frame.index}]`;
  return frame.path === "" ? frame.key : `${frame.path}.${frame.key}`;
}

/** The slow pass, over valid text in which keys are known to repeat. */
function findDuplicates(text: string): string[] {
  const found = new Set<string>();
  const stack: Frame[] = [];
  let keyNext = false;
  for (let i = 0; i < text.length; i++) {
    const top = stack.at(-1);
    switch (text.charAt(i)) {
      case '"': {
        const end = endOfString(text, i);
        if (keyNext && top?.type === "object") {
          top.key = JSON.parse(text.slice(i, end + 1)) as string;
          if (top.seen.has(top.key)) found.add(`duplicate field ${quote(pathInside(top))}`);
          top.seen.add(top.key);
          keyNext = false;
        }
        i = end;
        break;
      }
      case "{":
        stack.push({ type: "object", path: pathInside(top), seen: new Set(), key: "" });
        keyNext = true;
        break;
      case "[":
        stack.push({ type: "array", path: pathInside(top), index: 0 });
        break;
      case ",":
        if (top?.type === "array") top.index++;
        else keyNext = true;
        break;
      case "}":
      case "]":
        stack.pop();
        keyNext = false;
        break;
    }
  }
  return [...found].slice(0, MAX_TOLD);
}
