import type { Expr, MapEntryExpr, StructFieldExpr } from "./ast.ts";
import type { CelIssue } from "./issue.ts";
import { tokenize } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { expandMacro } from "./macros.ts";
import { parseLiteral } from "./literal.ts";

const maxCodePoints = 100_000;
const maxDepth = 250;

const reserved = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);
const relations = new Map([
  ["<", "_<_"],
  ["<=", "_<=_"],
  [">=", "_>=_"],
  [">", "_>_"],
  ["==", "_==_"],
  ["!=", "_!=_"],
  ["in", "@in"],
]);
const sums = new Map([
  ["+", "_+_"],
  ["-", "_-_"],
]);
const products = new Map([
  ["*", "_*_"],
  ["/", "_/_"],
  ["%", "_%_"],
]);
/** Operators that count towards the depth of an expression. */
const counted = new Set(["_?_:_", "_[_]", "_[?_]", ...relations.values(), ...sums.values(), ...products.values()]);
const operandStart =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

export type ParseResult = { ok: true; expr: Expr } | { ok: false; issues: CelIssue[] };

/**
 * Parses an expression and expands its macros. Depth is bounded, so no input can exhaust the stack of this function or
 * of any that walks the result.
 */
export function parse(source: string): ParseResult {
  const size = source.length > maxCodePoints ? Array.from(source).length : source.length;
  if (size > maxCodePoints) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
    return { ok: false, issues: [{ offset: undefined, message }] };
  }
  const issues: CelIssue[] = [];
  const parser = new Parser(tokenize(source, issues), issues);
  try {
    const expr = parser.whole();
    return issues.length === 0 ? { ok: true, expr } : { ok: false, issues };
  } catch (error) {
    if (!(error instanceof ParseStop)) throw error;
    return { ok: false, issues };
  }
}

/** Thrown to leave the parser once nothing sensible can follow. The reason is already among the issues. */
class ParseStop extends Error {}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: CelIssue[];
  readonly #heights = new Map<Expr, number>();
  #at = 0;
  #nesting = 0;

  constructor(tokens: readonly Token[], issues: CelIssue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  whole(): Expr {
    const expr = this.#expr();
    if (this.#token.kind !== "end") this.#unexpected("<EOF>", this.#peek(1).kind === "end");
    return expr;
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  #is(text: string, token = this.#token): boolean {
    return token.text === text && (token.kind === "punct" || token.kind === "keyword");
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind !== "end") this.#at++;
    return token;
  }

  #accept(text: string): Token | undefined {
    return this.#is(text) ? this.#take() : undefined;
  }

  #expect(text: string, expecting = `'${text}'`): Token {
    if (this.#is(text)) return this.#take();
    const token = this.#token;
    const removable = this.#is(text, this.#peek(1));
    const insertable = text === ":" ? startsOperand(token) : !startsOperand(token) || ".[-".includes(token.text);
    if (!removable && insertable) return this.#stop(token.start, `Syntax error: missing '${text}' at '${token.text}'`);
    return this.#unexpected(expecting, removable);
  }

  /** Reports a token that cannot stand here: as one too many if leaving it out would do, as a mismatch otherwise. */
  #unexpected(expecting: string, removable: boolean): never {
    const token = this.#token;
    return this.#stop(
      token.start,
      `Syntax error: ${removable ? "extraneous" : "mismatched"} input '${token.text}' expecting ${expecting}`,
    );
  }

  #stop(offset: number | undefined, message: string): never {
    this.#issues.push({ offset, message });
    throw new ParseStop(message);
  }

  /** Notes how deep a node is. Operators, fields, methods and indices count; what only groups, such as a list, does not. */
  #deep(expr: Expr, counts: boolean, children: readonly Expr[]): Expr {
    let height = 0;
    for (const child of children) height = Math.max(height, this.#heights.get(child) ?? 0);
    if (counts) height++;
    if (height > maxDepth) this.#stop(undefined, "max recursion depth exceeded");
    this.#heights.set(expr, height);
    return expr;
  }

  #call(fn: string, offset: number, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expansion = expandMacro(fn, offset, target, args);
    if (expansion !== undefined && "problem" in expansion) {
      this.#issues.push({ offset: expansion.offset, message: expansion.problem });
      return { kind: "literal", offset, value: null };
    }
    const children = target === undefined ? args : [target, ...args];
    return this.#deep(
      expansion ?? { kind: "call", offset, fn, target, args },
      counted.has(fn) || target !== undefined,
      children,
    );
  }

  #expr(): Expr {
    if (++this.#nesting > maxDepth) this.#stop(undefined, `expression recursion limit exceeded: ${maxDepth}`);
    const condition = this.#disjunction();
    const question = this.#accept("?");
    if (question === undefined) {
      this.#nesting--;
      return condition;
    }
    const yes = this.#disjunction();
    this.#expect(":");
    const no = this.#expr();
    this.#nesting--;
    return this.#call("_?_:_", question.start, undefined, [condition, yes, no]);
  }

  #disjunction(): Expr {
    const conjunction = (): Expr => this.#logical("&&", "_&&_", () => this.#binary(relations, () => this.#sum()));
    return this.#logical("||", "_||_", conjunction);
  }

  /** Long chains of the same connective become a balanced tree, so that their depth stays small. */
  #logical(operator: string, fn: string, term: () => Expr): Expr {
    const terms = [term()];
    const offsets: number[] = [];
    for (let token = this.#accept(operator); token !== undefined; token = this.#accept(operator)) {
      offsets.push(token.start);
      terms.push(term());
    }
    const balance = (low: number, high: number): Expr => {
      if (low > high) return terms[low]!;
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? terms[middle]! : balance(low, middle - 1);
      const right = middle === high ? terms[middle + 1]! : balance(middle + 1, high);
      const expr: Expr = { kind: "call", offset: offsets[middle]!, fn, target: undefined, args: [left, right] };
      return this.#deep(expr, false, [left, right]);
    };
    return balance(0, offsets.length - 1);
  }

  #binary(operators: ReadonlyMap<string, string>, operand: () => Expr): Expr {
    let left = operand();
    while (true) {
      const token = this.#token;
      const fn = token.kind === "punct" || token.kind === "keyword" ? operators.get(token.text) : undefined;
      if (fn === undefined) return left;
      this.#take();
      left = this.#call(fn, token.start, undefined, [left, operand()]);
    }
  }

  #sum(): Expr {
    return this.#binary(sums, () => this.#binary(products, () => this.#unary()));
  }

  #unary(): Expr {
    const first = this.#token;
    if (this.#is("!")) return this.#repeated("!", "!_", first);
    const next = this.#peek(1);
    if (this.#is("-") && next.kind !== "int" && next.kind !== "double") return this.#repeated("-", "-_", first);
    return this.#member();
  }

  #repeated(operator: string, fn: string, first: Token): Expr {
    let count = 0;
    while (this.#accept(operator) !== undefined) count++;
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#call(fn, first.start, undefined, [operand]);
  }

  #member(): Expr {
    let expr = this.#primary();
    while (true) {
      const dot = this.#accept(".");
      if (dot !== undefined) {
        expr = this.#selection(expr, dot);
        continue;
      }
      const bracket = this.#accept("[");
      if (bracket === undefined) return expr;
      const optional = this.#accept("?") !== undefined;
      const index = this.#expr();
      this.#expect("]");
      expr = this.#call(optional ? "_[?_]" : "_[_]", bracket.start, undefined, [expr, index]);
    }
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#accept("?") !== undefined;
    const name = this.#fieldName(optional ? ".?" : ".");
    const open = optional || name.kind === "escaped-ident" ? undefined : this.#accept("(");
    if (open !== undefined) return this.#call(name.text, open.start, operand, this.#arguments());
    if (!optional)
      return this.#deep({ kind: "select", offset: dot.start, operand, field: name.text, test: false }, true, [operand]);
    const field: Expr = { kind: "literal", offset: name.start, value: name.text };
    return this.#deep(
      { kind: "call", offset: dot.start, fn: "_?._", target: undefined, args: [operand, field] },
      true,
      [operand],
    );
  }

  #fieldName(before: string): Token {
    const token = this.#token;
    if (token.kind === "ident") return this.#take();
    if (token.kind === "escaped-ident") {
      this.#issues.push({ offset: token.start, message: "unsupported syntax: '`'" });
      return this.#take();
    }
    if (token.kind === "keyword" && token.text !== "in") return this.#unexpected("IDENTIFIER", false);
    return this.#stop(
      token.start,
      `Syntax error: no viable alternative at input '${before}${token.kind === "end" ? "" : token.text}'`,
    );
  }

  #arguments(): Expr[] {
    if (this.#accept(")") !== undefined) return [];
    if (!startsOperand(this.#token))
      this.#unexpected(`{${operandStart.replace("'('", "'(', ')'")}}`, startsOperand(this.#peek(1)));
    const args = [this.#expr()];
    while (this.#accept(",") !== undefined) args.push(this.#expr());
    this.#expect(")");
    return args;
  }

  #primary(): Expr {
    const token = this.#token;
    if (this.#accept("(") !== undefined) {
      const inner = this.#expr();
      this.#expect(")");
      return inner;
    }
    if (this.#accept("[") !== undefined) return this.#list(token);
    if (this.#accept("{") !== undefined) return this.#map(token);
    const leadingDot = this.#is(".") && this.#peek(1).kind === "ident" ? this.#take() : undefined;
    if (this.#token.kind === "ident") return this.#named(leadingDot);
    const literal = this.#literal();
    if (literal !== undefined) return literal;
    return this.#unexpected(`{${operandStart}}`, startsOperand(this.#peek(1)));
  }

  #literal(): Expr | undefined {
    const first = this.#token;
    const signed = this.#is("-");
    const token = signed ? this.#peek(1) : first;
    if (signed && token.kind !== "int" && token.kind !== "double") return undefined;
    const parsed = parseLiteral(token, signed);
    if (parsed === undefined) return undefined;
    if (signed) this.#take();
    this.#take();
    if ("problem" in parsed) {
      this.#issues.push({ offset: first.start, message: parsed.problem });
      return { kind: "literal", offset: first.start, value: null };
    }
    return { kind: "literal", offset: first.start, ...parsed };
  }

  #named(leadingDot: Token | undefined): Expr {
    const name = this.#take();
    const structName = this.#structName(name);
    if (structName !== undefined) return this.#struct((leadingDot === undefined ? "" : ".") + structName);
    if (reserved.has(name.text)) {
      this.#issues.push({ offset: (leadingDot ?? name).start, message: `reserved identifier: ${name.text}` });
    }
    const text = (leadingDot === undefined ? "" : ".") + name.text;
    const open = this.#accept("(");
    if (open !== undefined) return this.#call(text, open.start, undefined, this.#arguments());
    return { kind: "ident", offset: name.start, name: text };
  }

  /** `a.b.C` when a brace follows it; the tokens up to the brace are then taken. */
  #structName(first: Token): string | undefined {
    let ahead = 0;
    let name = first.text;
    while (this.#is(".", this.#peek(ahead)) && this.#peek(ahead + 1).kind === "ident") {
      name += `.${this.#peek(ahead + 1).text}`;
      ahead += 2;
    }
    if (!this.#is("{", this.#peek(ahead))) return undefined;
    this.#at += ahead;
    return name;
  }

  #struct(typeName: string): Expr {
    const open = this.#expect("{");
    const fields: StructFieldExpr[] = [];
    while (!this.#is("}")) {
      const optional = this.#accept("?") !== undefined;
      const name = this.#fieldName("{");
      const colon = this.#expect(":");
      fields.push({ offset: colon.start, name: name.text, value: this.#expr(), optional });
      if (this.#accept(",") === undefined) break;
    }
    this.#expect("}", "{'}', ','}");
    return this.#deep(
      { kind: "struct", offset: open.start, typeName, fields },
      false,
      fields.map((field) => field.value),
    );
  }

  #list(open: Token): Expr {
    const items: Expr[] = [];
    const optional = new Set<number>();
    while (!this.#is("]")) {
      if (this.#accept("?") !== undefined) optional.add(items.length);
      items.push(this.#expr());
      if (this.#accept(",") === undefined) break;
    }
    this.#expect("]", "{']', ','}");
    return this.#deep({ kind: "list", offset: open.start, items, optional }, false, items);
  }

  #map(open: Token): Expr {
    const entries: MapEntryExpr[] = [];
    while (!this.#is("}")) {
      const optional = this.#accept("?") !== undefined;
      const key = this.#expr();
      const colon = this.#expect(":");
      entries.push({ offset: colon.start, key, value: this.#expr(), optional });
      if (this.#accept(",") === undefined) break;
    }
    this.#expect("}", "{'}', ','}");
    return this.#deep(
      { kind: "map", offset: open.start, entries },
      false,
      entries.flatMap((entry) => [entry.key, entry.value]),
    );
  }
}

function startsOperand(token: Token): boolean {
  if (token.kind === "punct") return "[{(.-!".includes(token.text);
  return token.kind !== "end" && token.text !== "in";
}
