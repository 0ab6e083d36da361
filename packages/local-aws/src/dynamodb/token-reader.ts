import { invalid } from "./refusals.ts";

const TOKEN = /\s*(?:([A-Za-z][A-Za-z0-9_]*|[#:][A-Za-z0-9_]+|\d+)|(<=|>=|<>|[=<>()[\],.+-]))/y;
const LONGEST = 4_096;

/** The words and signs of an expression, one after the other. */
export class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(expression: string) {
    if (expression.trim() === "") throw invalid("Invalid expression: The expression can not be empty;");
    if (expression.length > LONGEST)
      throw invalid("Invalid expression: Expression size has exceeded the maximum allowed size");
    const tokens: string[] = [];
    const end = expression.trimEnd().length;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const [, word, sign] = TOKEN.exec(expression) ?? [];
      const token = word ?? sign;
      if (token === undefined)
        throw invalid(`Invalid expression: Syntax error; near: "${expression.slice(from, from + 16).trim()}"`);
      tokens.push(token);
    }
    this.#tokens = tokens;
  }

  get next(): string {
    return this.#tokens[this.#at] ?? "";
  }

  /** The one after the next. */
  get afterNext(): string {
    return this.#tokens[this.#at + 1] ?? "";
  }

  take(): string {
    const token = this.next;
    if (token === "") throw this.unexpected();
    this.#at++;
    return token;
  }

  /** Takes the token if it is this one; words in any case. */
  takes(token: string): boolean {
    if (this.next.toUpperCase() !== token.toUpperCase()) return false;
    this.#at++;
    return true;
  }

  expect(token: string): void {
    if (!this.takes(token)) throw this.unexpected();
  }

  unexpected(): Error {
    return invalid(`Invalid expression: Syntax error; token: "${this.next === "" ? "<EOF>" : this.next}"`);
  }
}
