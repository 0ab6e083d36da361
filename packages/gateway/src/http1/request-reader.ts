import { FieldMemory } from "./field-memory.ts";
import { HeadReader } from "./head-reader.ts";
import { parseRequestHead } from "./request-head.ts";
import type { ParsedRequest, RequestRules } from "./request-head.ts";

/** Reads the requests of one connection. */
export class RequestReader {
  readonly #rules: RequestRules;
  readonly #heads: HeadReader;
  readonly #fields: FieldMemory;

  constructor(rules: RequestRules) {
    this.#rules = rules;
    this.#heads = new HeadReader(rules.limits, true);
    this.#fields = new FieldMemory(rules.limits.fields, rules.underscores);
  }

  /** How many bytes are held. */
  get size(): number {
    return this.#heads.size;
  }

  /** As {@link HeadReader.hold}. */
  hold(bytes: Buffer, length: number): void {
    this.#heads.hold(bytes, length);
  }

  /** Everything that is held and was not read: of a body, of the next request, or of another protocol. */
  take(): Buffer | undefined {
    return this.#heads.take();
  }

  /** The next request. Undefined until its head is whole. Throws `BadMessage`. */
  next(): ParsedRequest | undefined {
    const text = this.#heads.read();
    return text === undefined ? undefined : parseRequestHead(text, this.#rules, this.#fields);
  }
}
