import { isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";

/** Most keys and names: nothing to escape. */
const PLAIN = /^[-\w./: ]*$/;
const SPECIAL = /[<>&\u2028\u2029]/g;
/** Whole escapes, so that a backslash is not taken for the beginning of another. */
const ESCAPE = /\\./g;
const SHORT_IN_JSON: ReadonlyMap<string, string> = new Map([
  ["\\b", "\\u0008"],
  ["\\f", "\\u000c"],
]);

/** JSON as Go writes it: no spaces, sorted keys, and markup characters escaped. Equal values are equal strings. */
export function canonicalJson(value: Json): string {
  if (typeof value === "string") {
    if (PLAIN.test(value)) return `"${value}"`;
    return JSON.stringify(value)
      .replace(SPECIAL, unicodeEscape)
      .replaceAll(ESCAPE, (escape) => SHORT_IN_JSON.get(escape) ?? escape);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${canonicalJson(key)}:${canonicalJson(value[key]!)}`);
  return `{${members.join(",")}}`;
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
