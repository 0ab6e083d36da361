import type { Words } from "./expression-words.ts";
import type { Item, Value } from "./records.ts";
import { invalid } from "./refusals.ts";
import type { TokenReader } from "./token-reader.ts";
import { attributeOf, withAttribute } from "./value.ts";

/** Where something is in an item: names of attributes and places in lists. */
export type Path = readonly [string, ...(string | number)[]];

const WORD = /^(?:[A-Za-z]|#)/;

export function readPath(reader: TokenReader, words: Words): Path {
  if (!WORD.test(reader.next)) throw reader.unexpected();
  const path: [string, ...(string | number)[]] = [words.name(reader.take())];
  for (;;) {
    if (reader.takes(".")) {
      if (!WORD.test(reader.next)) throw reader.unexpected();
      path.push(words.name(reader.take()));
    } else if (reader.takes("[")) {
      if (!/^\d+$/.test(reader.next)) throw reader.unexpected();
      path.push(Number(reader.take()));
      reader.expect("]");
    } else return path;
  }
}

export function valueAt(item: Item, path: Path): Value | undefined {
  let value: Value | undefined = { M: item };
  for (const step of path) value = value && partOf(value, step);
  return value;
}

function partOf(value: Value, step: string | number): Value | undefined {
  if (typeof step === "string") return "M" in value ? attributeOf(value.M, step) : undefined;
  return "L" in value ? value.L[step] : undefined;
}

/** Orders paths so that those into one list are in the order of their places. */
export function comparePaths(one: Path, other: Path): number {
  const at = one.findIndex((step, i) => step !== other[i]);
  const [a, b] = [one[at], other[at]];
  if (a === undefined || b === undefined) return one.length - other.length;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}

/** The item with a value put at a path, or with nothing taken from there. What leads to it must be there. */
export function withValueAt(item: Item, path: Path, value: Value | undefined): Item {
  const [name, ...rest] = path;
  const inner = rest.length === 0 ? value : within(attributeOf(item, name), rest, value);
  return withAttribute(item, name, inner);
}

function within(holder: Value | undefined, path: readonly (string | number)[], value: Value | undefined): Value {
  const [step, ...rest] = path;
  if (holder !== undefined && typeof step === "string" && "M" in holder) {
    const inner = rest.length === 0 ? value : within(attributeOf(holder.M, step), rest, value);
    return { M: withAttribute(holder.M, step, inner) };
  }
  if (holder !== undefined && typeof step === "number" && "L" in holder) {
    const inner = rest.length === 0 ? value : within(holder.L[step], rest, value);
    if (inner === undefined) return { L: holder.L.filter((_, i) => i !== step) };
    return { L: step < holder.L.length ? holder.L.with(step, inner) : [...holder.L, inner] };
  }
  throw invalid("The document path provided in the update expression is invalid for update");
}
