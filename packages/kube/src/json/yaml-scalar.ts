import type { Json } from "./json.ts";
import { BodySyntaxError } from "./json-syntax.ts";

const CONSTANTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((text): [string, Json] => [
    text,
    true,
  ]),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((text): [string, Json] => [
    text,
    false,
  ]),
  ...["", "~", "null", "Null", "NULL"].map((text): [string, Json] => [text, null]),
]);

const NOT_FINITE: ReadonlyMap<string, string> = new Map([
  ...[".nan", ".NaN", ".NAN"].map((text): [string, string] => [text, "NaN"]),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((text): [string, string] => [text, "+Inf"]),
  ...["-.inf", "-.Inf", "-.INF"].map((text): [string, string] => [text, "-Inf"]),
]);

const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const TIMESTAMP = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt ][0-9])/;

/**
 * The value of a plain (unquoted) scalar by the YAML 1.1 rules that Kubernetes' decoder follows: `yes` is true, `017` is
 * octal, timestamps and sexagesimals stay text.
 */
export function resolvePlainScalar(text: string): Json {
  const constant = CONSTANTS.get(text);
  if (constant !== undefined) return constant;
  const odd = NOT_FINITE.get(text);
  if (odd !== undefined) throw new BodySyntaxError(`json: unsupported value: ${odd}`);
  if (!/^[-+.0-9]/.test(text) || TIMESTAMP.test(text)) return text;
  const plain = text.startsWith(".") ? text : text.replaceAll("_", "");
  if (INTEGER.test(plain)) return parseInteger(plain);
  const number = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

function parseInteger(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  const digits = text.replace(/^[-+]/, "");
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  return sign * (octal ? Number(`0o${octal[1]}`) : Number(digits)) || 0;
}

/** The value of a scalar with an explicit tag. Tags that are not YAML's own leave the text as it is. */
export function resolveTaggedScalar(tag: string, text: string): Json {
  switch (tag) {
    case "tag:yaml.org,2002:binary": {
      if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
        throw new BodySyntaxError("yaml: !!binary value contains invalid base64 data");
      return Buffer.from(text, "base64").toString("utf8");
    }
    case "tag:yaml.org,2002:int":
    case "tag:yaml.org,2002:float":
    case "tag:yaml.org,2002:bool":
    case "tag:yaml.org,2002:null": {
      const value = resolvePlainScalar(text);
      const wanted = tag.slice("tag:yaml.org,2002:".length);
      const fits = value === null ? wanted === "null" : typeof value === (wanted === "bool" ? "boolean" : "number");
      if (!fits) throw new BodySyntaxError(`yaml: cannot decode ${shortTag(value)} \`${text}\` as a !!${wanted}`);
      return value;
    }
    default:
      return text;
  }
}

function shortTag(value: Json): string {
  if (value === null) return "!!null";
  if (typeof value === "boolean") return "!!bool";
  return typeof value === "number" ? (Number.isInteger(value) ? "!!int" : "!!float") : "!!str";
}
