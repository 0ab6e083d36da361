import { at, formatFieldError, invalid, key as keyed } from "./field-error.ts";
import type { FieldError } from "./field-error.ts";
import { isObject } from "./json/json.ts";
import type { Json } from "./json/json.ts";
import { isQualifiedName, isValidLabelValue } from "./names.ts";

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | "gt" | "lt";

/** One condition on one label. Values are sorted and distinct. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Conditions that must all hold, sorted by key. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Whether it lets everything through. */
  readonly empty: boolean;
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
}

/** A selector that cannot be read. The message is kube-apiserver's, to be answered with 400. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SelectorError";
  }
}

const INTEGER = /^[+-]?[0-9]+$/;
function int64(text: string): bigint | undefined {
  if (!INTEGER.test(text) || text.length > 40) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function holds(requirement: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const { key, operator, values } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
      return value === values[0];
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
      return value !== values[0];
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "gt":
    case "lt": {
      const actual = value === undefined ? undefined : int64(value);
      const bound = int64(values[0] ?? "");
      if (actual === undefined || bound === undefined) return false;
      return operator === "gt" ? actual > bound : actual < bound;
    }
  }
}

const NO_LABELS = {};

function selector(requirements: LabelRequirement[]): LabelSelector {
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (labels = NO_LABELS) => requirements.every((r) => holds(r, labels)),
  };
}

/** Lets everything through. */
export const everything: LabelSelector = selector([]);
/** Lets nothing through: what a missing selector means in most places. */
export const nothing: LabelSelector = { requirements: [], empty: false, matches: () => false };

function keyError(key: string, path: string): FieldError[] {
  const texts = isQualifiedName(key);
  return texts.length === 0 ? [] : [invalid(path, key, texts.join("; "))];
}

function requirement(key: string, operator: LabelOperator, values: string[]): LabelRequirement {
  const errors = keyError(key, "key");
  if ((operator === "in" || operator === "notin") && values.length === 0) {
    errors.push(invalid("values", values, "for 'in', 'notin' operators, values set can't be empty"));
  }
  if ((operator === "exists" || operator === "!") && values.length > 0) {
    errors.push(invalid("values", values, "values set must be empty for exists and does not exist"));
  }
  values.forEach((value, index) => {
    const path = at("values", index);
    if ((operator === "gt" || operator === "lt") && int64(value) === undefined) {
      errors.push(invalid(path, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  });
  values.forEach((value, index) => {
    const texts = isValidLabelValue(value);
    if (texts.length > 0) errors.push(invalid(keyed(at("values", index), key), value, texts.join("; ")));
  });
  if (errors.length > 0) throw new SelectorError(aggregate(errors));
  return { key, operator, values };
}

function aggregate(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(formatFieldError))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
}

type Token = { readonly type: "identifier" | "symbol" | "end"; readonly text: string };
const END: Token = { type: "end", text: "" };
const TOKEN = /[ \t\r\n]*(?:([!=]=|[=!(),<>])|([^ \t\r\n=!(),<>\0]+)\0?)/y;

/** A blank byte ends the selector where a token should start, as it does for kube-apiserver. */
function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let m = TOKEN.exec(text); m; m = TOKEN.exec(text)) {
    found.push(m[1] === undefined ? { type: "identifier", text: m[2]! } : { type: "symbol", text: m[1] });
  }
  return found;
}

const BINARY: ReadonlyMap<string, LabelOperator> = new Map([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

class Reader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokens(text);
  }
  peek(): Token {
    return this.#tokens[this.#position] ?? END;
  }
  take(): Token {
    const token = this.peek();
    this.#position++;
    return token;
  }
  /** Whether the next token is this symbol. */
  sees(symbol: string): boolean {
    const { type, text } = this.peek();
    return type === "symbol" && text === symbol;
  }
}

const expected = (token: Token, what: string): SelectorError =>
  new SelectorError(`found '${token.text}', expected: ${what}`);

/** Reads a `labelSelector`: `a=b,c!=d,e in (f,g),h,!i,j>1`. Throws {@link SelectorError}. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === "") return everything;
  const reader = new Reader(text);
  const requirements: LabelRequirement[] = [];
  const startsRequirement = (): boolean => reader.peek().type === "identifier" || reader.sees("!");
  while (reader.peek() !== END) {
    if (!startsRequirement()) throw expected(reader.peek(), "!, identifier, or 'end of string'");
    requirements.push(readRequirement(reader));
    if (reader.peek() === END) break;
    const separator = reader.take();
    if (separator.type !== "symbol" || separator.text !== ",") throw expected(separator, "',' or 'end of string'");
    if (!startsRequirement()) throw expected(reader.peek(), "identifier after ','");
  }
  return selector(requirements);
}

function readRequirement(reader: Reader): LabelRequirement {
  try {
    const negated = reader.sees("!");
    if (negated) reader.take();
    const key = reader.take();
    if (key.type !== "identifier") throw expected(key, "identifier");
    const errors = keyError(key.text, "");
    if (errors.length > 0) throw new SelectorError(aggregate(errors));
    if (negated) return requirement(key.text, "!", []);
    if (reader.peek() === END || reader.sees(",")) return requirement(key.text, "exists", []);
    const sign = reader.take();
    const operator = BINARY.get(sign.text);
    if (operator === undefined) throw expected(sign, "in, notin, =, ==, !=, gt, lt");
    const values = operator === "in" || operator === "notin" ? readSet(reader) : [readValue(reader)];
    return requirement(key.text, operator, [...new Set(values)].sort());
  } catch (error) {
    if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function readValue(reader: Reader): string {
  if (reader.peek() === END || reader.sees(",")) return "";
  const token = reader.take();
  if (token.type !== "identifier") throw expected(token, "identifier");
  return token.text;
}

/** `(a,b)`; a value that is left out, as in `()` and `(a,)`, is the empty one. */
function readSet(reader: Reader): string[] {
  const open = reader.take();
  if (open.text !== "(") throw new SelectorError(`found '${open.text}' expected: '('`);
  const values: string[] = [];
  if (reader.peek().type !== "identifier" && !reader.sees(",") && !reader.sees(")")) {
    throw expected(reader.peek(), "',', ')' or identifier");
  }
  for (;;) {
    if (reader.sees(",") || reader.sees(")")) values.push("");
    else if (reader.peek().type === "identifier") values.push(reader.take().text);
    else throw expected(reader.take(), "',', or identifier");
    if (!reader.sees(",") && !reader.sees(")")) throw expected(reader.peek(), "',' or ')'");
    if (reader.take().text === ")") return values;
  }
}

const OBJECT_OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/**
 * The selector of a `{matchLabels, matchExpressions}` object. A missing one selects nothing, an empty one everything.
 * Throws {@link SelectorError} on what validation would have refused.
 */
export function selectorFromObject(value: Json | undefined): LabelSelector {
  if (!isObject(value)) return nothing;
  const requirements: LabelRequirement[] = [];
  for (const [name, wanted] of Object.entries(value.matchLabels ?? {})) {
    requirements.push(requirement(name, "=", [String(wanted)]));
  }
  for (const expression of Array.isArray(value.matchExpressions) ? value.matchExpressions : []) {
    if (!isObject(expression)) throw new SelectorError("a label selector requirement must be an object");
    const operator = OBJECT_OPERATORS.get(String(expression.operator ?? ""));
    if (!operator)
      throw new SelectorError(`"${String(expression.operator ?? "")}" is not a valid label selector operator`);
    const values = Array.isArray(expression.values) ? expression.values.map(String) : [];
    requirements.push(requirement(String(expression.key ?? ""), operator, [...new Set(values)].sort()));
  }
  return requirements.length === 0 ? everything : selector(requirements);
}

const SIGNS = { "=": "=", "==": "==", "!=": "!=", gt: ">", lt: "<", in: " in ", notin: " notin " } as const;

/** The selector as a text that {@link parseLabelSelector} reads back. */
export function formatLabelSelector(value: LabelSelector): string {
  return value.requirements
    .map(({ key, operator, values }) => {
      if (operator === "exists") return key;
      if (operator === "!") return `!${key}`;
      const list = values.join(",");
      return `${key}${SIGNS[operator]}${operator === "in" || operator === "notin" ? `(${list})` : list}`;
    })
    .join(",");
}
