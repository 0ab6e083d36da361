import { formatDouble } from "./format-double.ts";
import { groupedFixed, superscriptScientific } from "./format-number.ts";
import { durationToString } from "./library/conversions.ts";
import { formatTimestamp } from "./time.ts";
import { CelError, CelTypeName, CelUint, isList, isMap, kindOf, typeNameOf } from "./value.ts";
import type { CelList, CelMap, CelValue } from "./value.ts";

/** No text may be larger, whatever it is made from. */
export const maxLength = 64 * 1024 * 1024;

/** A clause of a format string: `%d`, `%.2f`. */
export interface FormatClause {
  readonly verb: string;
  readonly precision: number | undefined;
}

/** What a format string consists of, up to the first thing that is wrong with it. */
export function* parseFormat(format: string): Generator<string | FormatClause | { problem: string }> {
  let at = 0;
  while (at < format.length) {
    const percent = format.indexOf("%", at);
    if (percent < 0) {
      yield format.slice(at);
      return;
    }
    if (percent > at) yield format.slice(at, percent);
    if (format[percent + 1] === "%") {
      yield "%";
      at = percent + 2;
      continue;
    }
    const [whole = "", dot, digits = ""] = /^(\.(\d*))?/.exec(format.slice(percent + 1)) ?? [];
    const verb = format[percent + 1 + whole.length];
    if (verb === undefined) {
      yield {
        problem:
          whole === ""
            ? "unexpected end of string"
            : "could not parse formatting clause: error while parsing precision: could not find end of precision specifier",
      };
      return;
    }
    if (dot !== undefined && digits === "") {
      yield {
        problem:
          'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
      };
      return;
    }
    yield { verb, precision: dot === undefined ? undefined : Number(digits) };
    at = percent + 2 + whole.length;
  }
}

/** `format.format(args)`. */
export function formatString(format: string, args: CelList): string {
  let text = "";
  let next = 0;
  for (const part of parseFormat(format)) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    if (next >= args.size) throw new CelError(`index ${next} out of range`);
    if ("problem" in part) throw new CelError(part.problem);
    text += formatClause(part, args.at(next++));
  }
  return text;
}

/** What each clause takes: the reason that it gives for refusing a value, before the value's type. */
export const clauseComplaints: ReadonlyMap<string, string> = new Map([
  [
    "s",
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  ],
  ["d", "decimal clause can only be used on integers"],
  ["f", "fixed-point clause can only be used on doubles"],
  ["e", "scientific clause can only be used on doubles"],
  ["b", "only integers and bools can be formatted as binary"],
  ["x", "only integers, byte buffers, and strings can be formatted as hex"],
  ["X", "only integers, byte buffers, and strings can be formatted as hex"],
  ["o", "octal clause can only be used on integers"],
]);

function formatClause({ verb, precision }: FormatClause, value: CelValue): string {
  const complaint = clauseComplaints.get(verb);
  if (complaint === undefined)
    throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  const text = clauseText(verb, precision ?? 6, value);
  if (text === undefined) throw new CelError(`error during formatting: ${complaint}, was given ${typeNameOf(value)}`);
  return text;
}

function clauseText(verb: string, precision: number, value: CelValue): string | undefined {
  const integer = typeof value === "bigint" ? value : value instanceof CelUint ? value.value : undefined;
  switch (verb) {
    case "s":
      return plainText(value);
    case "d":
      return integer?.toString();
    case "o":
      return integer?.toString(8);
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : integer?.toString(2);
    case "x":
      return integer?.toString(16) ?? hexBytes(value);
    case "X":
      return (integer?.toString(16) ?? hexBytes(value))?.toUpperCase();
    default: {
      const number = doubleOf(value);
      if (number === undefined) return undefined;
      return verb === "f" ? groupedFixed(number, precision) : superscriptScientific(number);
    }
  }
}

function hexBytes(value: CelValue): string | undefined {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : undefined;
}

function doubleOf(value: CelValue): number | undefined {
  if (typeof value === "number") return value;
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : undefined;
}

/** A value as `%s` prints it. */
function plainText(value: CelValue): string | undefined {
  if (value === null) return "null";
  if (typeof value === "number") return formatDouble(value, 6);
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof CelUint) return value.value.toString();
  if (value instanceof CelTypeName) return value.name;
  if (isList(value)) return listText(value);
  if (isMap(value)) return mapText(value);
  if (value.kind === "timestamp") return formatTimestamp(value);
  return value.kind === "duration" ? durationToString(value) : undefined;
}

/** A value inside a list or a map, as a literal of the language. */
function literalText(value: CelValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(formatDouble(value));
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`;
  const kind = kindOf(value);
  const text = plainText(value);
  if (text === undefined)
    throw new CelError(`error during formatting: no formatting function for ${typeNameOf(value)}`);
  return kind === "timestamp" || kind === "duration" ? `${kind}(${JSON.stringify(text)})` : text;
}

function listText(list: CelList): string {
  const texts: string[] = [];
  let length = 0;
  for (const item of list) {
    const text = literalText(item);
    length += text.length + 2;
    if (length > maxLength) throw new CelError("result of format is too large");
    texts.push(text);
  }
  return `[${texts.join(", ")}]`;
}

function mapText(map: CelMap): string {
  const entries = Array.from(map.keys(), (key) => ({ key: literalText(key), value: literalText(map.get(key)!) }));
  entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(", ")}}`;
}
