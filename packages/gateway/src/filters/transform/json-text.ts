import { BodySyntaxError, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/** How deep a body may nest that is taken apart here. */
const MAX_DEPTH = 200;

/** What newer engines have, and the language's types do not know yet: numbers that keep the text they came as. */
interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const raw = JSON as unknown as RawJson;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Texts in which a number may stand that a double would write otherwise: long ones, exponents, `1.0`, `-0`. */
const UNUSUAL_NUMBER = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/;

/**
 * Reads JSON so that `formatJson` writes every number as it came, also those that no double holds. Such a number is no `JsonObject`
 * although its type says so: ask `isRecord`. Throws BodySyntaxError.
 */
export function parseJsonText(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new BodySyntaxError("the body is not UTF-8");
  }
  if (nestsTooDeep(text)) throw new BodySyntaxError("the body nests too deeply");
  try {
    return (UNUSUAL_NUMBER.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text)) as Json;
  } catch {
    throw new BodySyntaxError("the body is not JSON");
  }
}

/** The text of a value that was read here, or of any JSON. */
export function formatJson(value: Json): string {
  return JSON.stringify(value);
}

/** Whether a value is an object with fields: not an array, not null, and not a number that keeps its text. */
export function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !raw.isRawJSON(value);
}

/** The same value with ordinary numbers throughout, for whoever calculates with them. */
export function withPlainNumbers(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (raw.isRawJSON(value)) return Number(formatJson(value));
  const copy: JsonObject = Object.create(null) as JsonObject;
  for (const key of Object.keys(value)) copy[key] = withPlainNumbers(value[key] ?? null);
  return copy;
}

function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && String(value) !== source ? raw.rawJSON(source) : value;
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}
