import {
  SelectorError,
  everything,
  labelKeyErrors,
  labelRequirement,
  labelSelector,
  selectorError,
} from "./label-selector.ts";
import type { LabelOperator, LabelRequirement, LabelSelector } from "./label-selector.ts";

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
  return labelSelector(requirements);
}

function readRequirement(reader: Reader): LabelRequirement {
  try {
    const negated = reader.sees("!");
    if (negated) reader.take();
    const key = reader.take();
    if (key.type !== "identifier") throw expected(key, "identifier");
    const errors = labelKeyErrors(key.text, "");
    if (errors.length > 0) throw selectorError(errors);
    if (negated) return labelRequirement(key.text, "!", []);
    if (reader.peek() === END || reader.sees(",")) return labelRequirement(key.text, "exists", []);
    const sign = reader.take();
    const operator = BINARY.get(sign.text);
    if (operator === undefined) throw expected(sign, "in, notin, =, ==, !=, gt, lt");
    const values = operator === "in" || operator === "notin" ? readSet(reader) : [readValue(reader)];
    return labelRequirement(key.text, operator, [...new Set(values)].sort());
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
