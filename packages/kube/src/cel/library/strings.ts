import { SHORT_ESCAPES } from "../../quote.ts";
import { codePoints, findCodePoints, sliceCodePoints } from "../code-points.ts";
import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { ArrayList } from "../list.ts";
import { compileRegex, findAll, requireRegex } from "../regex.ts";
import { codePointCount } from "../size.ts";
import { formatString, maxLength } from "../string-format.ts";
import { formatValue } from "../format-value.ts";
import { CelError } from "../value.ts";
import type { CelList } from "../value.ts";

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint): string {
  const points = codePoints(text);
  if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points[Number(index)] ?? "";
}

function indexOf(text: string, part: string, from = 0n): bigint {
  if (part === "") return from;
  if (from < 0n) throw outOfRange(from);
  if (from >= BigInt(codePointCount(text))) return -1n;
  return BigInt(findCodePoints(text, part, Number(from), false));
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const length = BigInt(codePointCount(text));
  if (part === "") return from ?? length;
  const start = from ?? length - 1n;
  if (start < 0n && from === undefined) return -1n;
  if (start < 0n) throw outOfRange(start);
  if (start >= length) return -1n;
  return BigInt(findCodePoints(text, part, Number(start), true));
}

function substring(text: string, start: bigint, end?: bigint): string {
  const points = codePoints(text);
  const length = BigInt(points.length);
  if (end !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) throw outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) throw outOfRange(end);
  return sliceCodePoints(points, Number(start), end === undefined ? undefined : Number(end));
}

/** Replaces up to `limit` occurrences, all when it is negative. An empty `old` is found before each character and at the end. */
function replace(text: string, old: string, next: string, limit = -1n): string {
  if (limit === 0n) return text;
  const pieces = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const gaps = Math.min(old === "" ? pieces.length - 1 : pieces.length - 1, limit < 0n ? Infinity : Number(limit));
  if (text.length + gaps * next.length > maxLength) throw new CelError("result of replace is too large");
  const head = pieces.slice(0, gaps + 1).join(next);
  const tail = pieces.slice(gaps + 1);
  return tail.length === 0 ? head : head + old + tail.join(old);
}

function split(text: string, separator: string, limit = -1n): CelList {
  if (limit === 0n) return new ArrayList([]);
  const parts = separator === "" ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return new ArrayList(parts);
  const kept = Number(limit) - 1;
  return new ArrayList([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function join(list: CelList, separator = ""): string {
  const parts: string[] = [];
  let length = 0;
  for (const item of list) {
    if (typeof item !== "string") throw new CelError(`join: invalid input: ${formatValue(item)}`);
    length += item.length + separator.length;
    if (length > maxLength) throw new CelError("result of join is too large");
    parts.push(item);
  }
  return parts.join(separator);
}

function quote(text: string): string {
  return `"${text.toWellFormed().replaceAll(/[\x07\b\f\n\r\t\v\\"]/g, (char) => SHORT_ESCAPES.get(char)!)}"`;
}

const lower = (text: string): string => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string): string => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase());
/** White space to Go: of what it is to JavaScript all but the mark of byte order, and the next line besides. */
const isSpace = (char: string): boolean => char === "\u0085" || (char !== "\ufeff" && char.trim() === "");

/** From both ends: an expression for the end would be tried at every space of the text. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charAt(start))) start++;
  while (end > start && isSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const matches = (text: string, pattern: string): boolean => (compileRegex(pattern) ?? requireRegex(pattern)).test(text);

/** The standard string functions, the strings extension, and regular expressions. */
export const strings: Library = [
  [
    "contains",
    [method("contains_string", "string, string -> bool", (text: string, part: string) => text.includes(part))],
  ],
  [
    "startsWith",
    [method("starts_with_string", "string, string -> bool", (text: string, part: string) => text.startsWith(part))],
  ],
  [
    "endsWith",
    [method("ends_with_string", "string, string -> bool", (text: string, part: string) => text.endsWith(part))],
  ],
  [
    "matches",
    [fn("matches", "string, string -> bool", matches), method("matches_string", "string, string -> bool", matches)],
  ],
  [
    "find",
    [
      method(
        "string_find_string",
        "string, string -> string",
        (text: string, pattern: string) => findAll(requireRegex(pattern, "Illegal regex: "), text, 1)[0] ?? "",
      ),
    ],
  ],
  [
    "findAll",
    [
      method(
        "string_find_all_string",
        "string, string -> list(string)",
        (text: string, pattern: string) => new ArrayList(findAll(requireRegex(pattern, "Illegal regex: "), text, -1)),
      ),
      method(
        "string_find_all_string_int",
        "string, string, int -> list(string)",
        (text: string, pattern: string, limit: bigint) =>
          new ArrayList(findAll(requireRegex(pattern, "Illegal regex: "), text, Number(limit))),
      ),
    ],
  ],
  ["charAt", [method("string_char_at_int", "string, int -> string", charAt)]],
  [
    "indexOf",
    [
      method("string_index_of_string", "string, string -> int", (text: string, part: string) => indexOf(text, part)),
      method("string_index_of_string_int", "string, string, int -> int", indexOf),
    ],
  ],
  [
    "lastIndexOf",
    [
      method("string_last_index_of_string", "string, string -> int", (text: string, part: string) =>
        lastIndexOf(text, part),
      ),
      method("string_last_index_of_string_int", "string, string, int -> int", lastIndexOf),
    ],
  ],
  ["lowerAscii", [method("string_lower_ascii", "string -> string", lower)]],
  ["upperAscii", [method("string_upper_ascii", "string -> string", upper)]],
  ["trim", [method("string_trim", "string -> string", trim)]],
  [
    "replace",
    [
      method(
        "string_replace_string_string",
        "string, string, string -> string",
        (text: string, old: string, next: string) => replace(text, old, next),
      ),
      method("string_replace_string_string_int", "string, string, string, int -> string", replace),
    ],
  ],
  [
    "split",
    [
      method("string_split_string", "string, string -> list(string)", (text: string, separator: string) =>
        split(text, separator),
      ),
      method("string_split_string_int", "string, string, int -> list(string)", split),
    ],
  ],
  [
    "substring",
    [
      method("string_substring_int", "string, int -> string", (text: string, start: bigint) => substring(text, start)),
      method("string_substring_int_int", "string, int, int -> string", substring),
    ],
  ],
  [
    "join",
    [
      method("list_join", "list(string) -> string", (list: CelList) => join(list)),
      method("list_join_string", "list(string), string -> string", join),
    ],
  ],
  ["format", [method("string_format", "string, list(dyn) -> string", formatString)]],
  ["strings.quote", [fn("strings_quote", "string -> string", quote)]],
];
