import { invalid, notSupported, required, tooLong, tooMany, typeInvalid } from "../field-error.ts";
import type { FieldError } from "../field-error.ts";
import type { Json } from "../json/json.ts";
import { quote } from "../quote.ts";
import type { ValuePath } from "./value-path.ts";

interface Finding {
  /** The same text is told once. */
  readonly text: string;
  readonly error: FieldError;
}

/** What validation has found so far, and how many checks agreed, which decides whose errors an `anyOf` tells. */
export class Findings {
  readonly path: ValuePath;
  /** Stands before every field: `status` when only the status is validated. */
  readonly prefix: string;
  matches = 0;
  #found: Finding[] = [];

  constructor(path: ValuePath, prefix: string) {
    this.path = path;
    this.prefix = prefix;
  }

  /** For an alternative whose findings may be thrown away. */
  fork(): Findings {
    return new Findings(this.path, this.prefix);
  }

  merge(other: Findings): void {
    this.#found.push(...other.#found);
    this.matches += other.matches;
  }

  get size(): number {
    return this.#found.length;
  }

  /** Forgets what was found after the given size. */
  truncate(size: number): void {
    this.#found.length = size;
  }

  errors(): FieldError[] {
    if (this.#found.length < 2) return this.#found.map((f) => f.error);
    return [...new Map(this.#found.toReversed().map((f) => [f.text, f.error])).values()].toReversed();
  }

  #field(): string {
    const at = this.path.toString();
    return this.prefix === "" || at === "" ? this.prefix + at : `${this.prefix}.${at}`;
  }

  #add(text: string, error: FieldError): void {
    this.#found.push({ text, error });
  }

  /** `must be of type integer: "string"`. `seen` is the type that was met, or the text that misses its format. */
  wrongType(expected: string, seen: string): void {
    const text = `${this.path} in body must be of type ${expected}: ${quote(seen)}`;
    this.#add(text, typeInvalid(this.#field(), seen, text));
  }

  /** A rule that the value breaks: `spec.size in body should be less than …`. */
  breaks(value: Json, rule: string): void {
    const text = `${this.path} in body ${rule}`;
    this.#add(text, invalid(this.#field(), value, text));
  }

  /** Something wrong that is not tied to a field. */
  general(text: string): void {
    this.#add(text, invalid(this.prefix, "", text));
  }

  positiveFactor(factor: number): void {
    const text = `factor MultipleOf declared for ${this.path} must be positive: ${factor}`;
    this.#add(text, invalid(this.#field(), factor, text));
  }

  forbidden(key: string): void {
    const text = `${this.path}.${key} in body is a forbidden property`;
    this.#add(text, invalid(this.#field(), key, text));
  }

  missing(key: string): void {
    this.path.push(key);
    this.#add(`${this.path} in body is required`, required(this.#field()));
    this.path.pop();
  }

  notInEnum(value: Json, allowed: readonly Json[]): void {
    const values = allowed.map((v) => (typeof v === "string" ? v : JSON.stringify(v)));
    this.#add(`${this.path} enum`, notSupported(this.#field(), value, values));
  }

  tooLong(max: number): void {
    this.#add(`${this.path} in body should be at most ${max} chars long`, tooLong(this.#field(), max));
  }

  tooMany(actual: number, max: number, what: string): void {
    this.#add(`${this.path} in body should have at most ${max} ${what}`, tooMany(this.#field(), actual, max));
  }
}
