/**
 * Nesting that a body may have. Deeper than any real object, and shallow enough for every recursive walk of a decoded
 * value. (Go stops at 10,000.)
 */
export const MAX_DEPTH = 1000;

/** A body that is not JSON (or YAML). The message is the one that Go's decoder gives. */
export class BodySyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BodySyntaxError";
  }
}

/** `invalid character '[' exceeded max depth`: the same text for every body that nests too deeply. */
export function tooDeep(opener: string): BodySyntaxError {
  return new BodySyntaxError(`invalid character '${opener}' exceeded max depth`);
}

const END = "unexpected end of JSON input";
const LITERALS: ReadonlyMap<number, string> = new Map([
  [0x74, "true"],
  [0x66, "false"],
  [0x6e, "null"],
]);

function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  const named = new Map([
    [7, "\\a"],
    [8, "\\b"],
    [9, "\\t"],
    [10, "\\n"],
    [11, "\\v"],
    [12, "\\f"],
    [13, "\\r"],
    [0x5c, "\\\\"],
  ]);
  const escape = named.get(byte);
  if (escape !== undefined) return `'${escape}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, "0")}'`;
  if ((byte >= 0x80 && byte <= 0xa0) || byte === 0xad) return `'\\u00${byte.toString(16)}'`;
  return `'${String.fromCharCode(byte)}'`;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);

/** Finds what is wrong with a body that is known not to be JSON, reading bytes in the order in which Go does. */
export function explainJsonError(bytes: Uint8Array): BodySyntaxError {
  const reader = new Reader(bytes);
  try {
    reader.document();
  } catch (error) {
    if (error instanceof BodySyntaxError) return error;
    throw error;
  }
  return new BodySyntaxError(END);
}

/** Walks JSON text without building anything, and throws at the first byte that does not belong. */
class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  document(): void {
    const open: number[] = [];
    let expectValue = true;
    for (;;) {
      if (expectValue) expectValue = this.#value(open);
      if (expectValue) continue;
      const byte = this.#skipSpace();
      const inside = open.at(-1);
      if (inside === undefined) {
        if (byte === undefined) return;
        throw this.#invalid("after top-level value");
      }
      const [close, context] = inside === 0x7b ? [0x7d, "after object key:value pair"] : [0x5d, "after array element"];
      if (byte === close) {
        open.pop();
      } else if (byte === 0x2c) {
        this.#at++;
        if (inside === 0x7b) this.#key();
        expectValue = true;
        continue;
      } else {
        throw this.#invalid(context);
      }
      this.#at++;
    }
  }

  /** Reads a scalar, an empty container, or the opening of one. True: a value must follow. */
  #value(open: number[]): boolean {
    const byte = this.#skipSpace();
    if (byte === 0x7b || byte === 0x5b) {
      if (open.length >= MAX_DEPTH) throw tooDeep(String.fromCharCode(byte));
      this.#at++;
      const next = this.#skipSpace();
      if (next === (byte === 0x7b ? 0x7d : 0x5d)) {
        this.#at++;
        return false;
      }
      open.push(byte);
      if (byte === 0x7b) this.#key();
      return true;
    }
    if (byte === 0x22) return this.#string();
    if (byte === 0x2d || (byte !== undefined && isDigit(byte))) return this.#number();
    const literal = LITERALS.get(byte ?? 0);
    if (literal === undefined) throw this.#invalid("looking for beginning of value");
    for (const letter of literal) {
      if (this.#bytes[this.#at] !== letter.charCodeAt(0))
        throw this.#invalidToken(`in literal ${literal} (expecting '${letter}')`);
      this.#at++;
    }
    return false;
  }

  #key(): void {
    if (this.#skipSpace() !== 0x22) throw this.#invalid("looking for beginning of object key string");
    this.#string();
    if (this.#skipSpace() !== 0x3a) throw this.#invalid("after object key");
    this.#at++;
  }

  #string(): false {
    for (this.#at++; ; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === 0x22) break;
      if (byte === undefined || byte < 0x20) throw this.#invalid("in string literal");
      if (byte === 0x5c) this.#escape();
    }
    this.#at++;
    return false;
  }

  #escape(): void {
    const byte = this.#bytes[++this.#at];
    if (byte === undefined || !'"\\/bfnrtu'.includes(String.fromCharCode(byte)))
      throw this.#invalidToken("in string escape code");
    if (byte !== 0x75) return;
    for (let i = 0; i < 4; i++) {
      const digit = this.#bytes[++this.#at];
      if (digit === undefined || !isHex(digit)) throw this.#invalidToken("in \\u hexadecimal character escape");
    }
  }

  #number(): false {
    if (this.#bytes[this.#at] === 0x2d) this.#at++;
    if (this.#bytes[this.#at] === 0x30) this.#at++;
    else this.#digits("in numeric literal");
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (((this.#bytes[this.#at] ?? 0) | 0x20) === 0x65) {
      this.#at++;
      const sign = this.#bytes[this.#at];
      if (sign === 0x2b || sign === 0x2d) this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return false;
  }

  #digits(context: string): void {
    const start = this.#at;
    while (isDigit(this.#bytes[this.#at] ?? 0)) this.#at++;
    if (this.#at === start) throw this.#invalidToken(context);
  }

  #skipSpace(): number | undefined {
    for (; ; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte;
    }
  }

  #invalid(context: string): BodySyntaxError {
    const byte = this.#bytes[this.#at];
    return new BodySyntaxError(byte === undefined ? END : `invalid character ${quoteByte(byte)} ${context}`);
  }

  /** Within a token Go tells the end of the text as if a space followed. */
  #invalidToken(context: string): BodySyntaxError {
    const byte = this.#bytes[this.#at] ?? 0x20;
    return new BodySyntaxError(`invalid character ${quoteByte(byte)} ${context}`);
  }
}
