import type { Words } from "./expression-words.ts";
import { addNumbers } from "./number.ts";
import { comparePaths, readPath, valueAt, withValueAt } from "./path.ts";
import type { Path } from "./path.ts";
import type { Item, Value } from "./records.ts";
import { invalid } from "./refusals.ts";
import { TokenReader } from "./token-reader.ts";

/** One thing that an update does. Values are worked out from the item as it was before. */
interface Action {
  readonly path: Path;
  readonly next: (before: Item) => Value | undefined;
}

type Term = (before: Item) => Value;

const CLAUSES = ["SET", "REMOVE", "ADD", "DELETE"] as const;
const DEEPEST = 20;
const WRONG_TYPE = "An operand in the update expression has an incorrect data type";

/** Reads an update; gives the item that it makes of one, and the names of the attributes that it touches. */
export function readUpdate(
  expression: string,
  words: Words,
): { readonly touched: readonly string[]; readonly apply: (before: Item) => Item } {
  const reader = new TokenReader(expression);
  const actions: Action[] = [];
  const seen = new Set<string>();
  while (reader.next !== "") {
    const clause = CLAUSES.find((each) => reader.takes(each));
    if (clause === undefined) throw reader.unexpected();
    if (seen.has(clause))
      throw invalid(`Invalid UpdateExpression: The "${clause}" section can only be used once in an update expression;`);
    seen.add(clause);
    do actions.push(readAction(clause, reader, words));
    while (reader.takes(","));
  }
  const paths = actions.map(({ path }) => JSON.stringify(path).slice(0, -1));
  if (paths.some((one, i) => paths.some((other, j) => i !== j && `${other},`.startsWith(`${one},`)))) {
    throw invalid(
      "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths",
    );
  }
  return {
    touched: actions.map(({ path }) => path[0]),
    apply: (before) => applied(actions, before),
  };
}

/**
 * Places in lists are those of the item as it was before: nothing moves until all is set, and then the last places go first.
 * What is set behind the end of a list is appended, in the order of the places.
 */
function applied(actions: readonly Action[], before: Item): Item {
  const changes = actions
    .map(({ path, next }) => ({ path, value: next(before) }))
    .toSorted((one, other) => comparePaths(one.path, other.path));
  const set = changes
    .filter(({ value }) => value !== undefined)
    .reduce((item, { path, value }) => withValueAt(item, path, value), before);
  return changes
    .filter(({ path, value }) => value === undefined && isThere(before, path))
    .reduceRight((item, { path }) => withValueAt(item, path, undefined), set);
}

/** Whether there is something to remove: what was not there must not take along what was set there now. */
function isThere(before: Item, path: Path): boolean {
  // Refuses where what leads to it is not there either.
  withValueAt(before, path, undefined);
  return valueAt(before, path) !== undefined;
}

function readAction(clause: (typeof CLAUSES)[number], reader: TokenReader, words: Words): Action {
  const path = readPath(reader, words);
  if (clause === "REMOVE") return { path, next: () => undefined };
  if (clause === "SET") {
    reader.expect("=");
    return { path, next: readSum(reader, words) };
  }
  if (!reader.next.startsWith(":")) throw reader.unexpected();
  const given = words.value(reader.take());
  return { path, next: (before) => (clause === "ADD" ? added : without)(valueAt(before, path), given) };
}

function readSum(reader: TokenReader, words: Words): Term {
  const one = readTerm(reader, words, 0);
  const minus = reader.takes("-");
  if (!minus && !reader.takes("+")) return one;
  const other = readTerm(reader, words, 0);
  return (before) => {
    const [a, b] = [one(before), other(before)];
    if (!("N" in a) || !("N" in b)) throw invalid(WRONG_TYPE);
    return { N: addNumbers(a.N, b.N, minus) };
  };
}

function readTerm(reader: TokenReader, words: Words, depth: number): Term {
  if (depth > DEEPEST) throw invalid("Invalid UpdateExpression: The expression has exceeded the maximum depth");
  if (reader.next.startsWith(":")) {
    const value = words.value(reader.take());
    return () => value;
  }
  if (reader.afterNext === "(") {
    const name = reader.take();
    reader.expect("(");
    const term = name === "if_not_exists" ? readDefault(reader, words, depth) : readAppend(name, reader, words, depth);
    reader.expect(")");
    return term;
  }
  const path = readPath(reader, words);
  return (before) => {
    const value = valueAt(before, path);
    if (value === undefined)
      throw invalid("The provided expression refers to an attribute that does not exist in the item");
    return value;
  };
}

function readDefault(reader: TokenReader, words: Words, depth: number): Term {
  const path = readPath(reader, words);
  reader.expect(",");
  const otherwise = readTerm(reader, words, depth + 1);
  return (before) => valueAt(before, path) ?? otherwise(before);
}

function readAppend(name: string, reader: TokenReader, words: Words, depth: number): Term {
  if (name !== "list_append")
    throw invalid(`Invalid UpdateExpression: Invalid function name; function: ${name.slice(0, 64)}`);
  const one = readTerm(reader, words, depth + 1);
  reader.expect(",");
  const other = readTerm(reader, words, depth + 1);
  return (before) => {
    const [a, b] = [one(before), other(before)];
    if (!("L" in a) || !("L" in b)) throw invalid(WRONG_TYPE);
    return { L: [...a.L, ...b.L] };
  };
}

function added(value: Value | undefined, given: Value): Value {
  if (value === undefined) {
    if ("N" in given || "SS" in given || "NS" in given || "BS" in given) return given;
    throw invalid(WRONG_TYPE);
  }
  if ("N" in value && "N" in given) return { N: addNumbers(value.N, given.N) };
  if ("SS" in value && "SS" in given) return { SS: [...new Set([...value.SS, ...given.SS])] };
  if ("NS" in value && "NS" in given) return { NS: [...new Set([...value.NS, ...given.NS])] };
  if ("BS" in value && "BS" in given) return { BS: [...new Set([...value.BS, ...given.BS])] };
  throw invalid(WRONG_TYPE);
}

function without(value: Value | undefined, given: Value): Value | undefined {
  const rest = (all: readonly string[], gone: readonly string[]) => all.filter((each) => !gone.includes(each));
  if (value === undefined) return undefined;
  if ("SS" in value && "SS" in given) return filled("SS", rest(value.SS, given.SS));
  if ("NS" in value && "NS" in given) return filled("NS", rest(value.NS, given.NS));
  if ("BS" in value && "BS" in given) return filled("BS", rest(value.BS, given.BS));
  throw invalid(WRONG_TYPE);
}

/** Sets that have nothing left are not there. */
function filled(type: "SS" | "NS" | "BS", left: readonly string[]): Value | undefined {
  if (left.length === 0) return undefined;
  return type === "SS" ? { SS: left } : type === "NS" ? { NS: left } : { BS: left };
}
