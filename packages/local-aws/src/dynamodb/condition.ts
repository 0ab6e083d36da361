import type { Words } from "./expression-words.ts";
import { readPath, valueAt } from "./path.ts";
import type { Path } from "./path.ts";
import type { Item, Value } from "./records.ts";
import { invalid } from "./refusals.ts";
import { TokenReader } from "./token-reader.ts";
import { compare, isSame, typeOf } from "./value.ts";

/** Something that has a value for an item. */
export type Operand =
  | { readonly is: "value"; readonly value: Value }
  | { readonly is: "path"; readonly path: Path }
  | { readonly is: "size"; readonly path: Path };

/** What may be true of an item. */
export type Condition =
  | { readonly is: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly is: "not"; readonly part: Condition }
  | { readonly is: "compare"; readonly sign: string; readonly one: Operand; readonly other: Operand }
  | { readonly is: "between"; readonly of: Operand; readonly least: Operand; readonly most: Operand }
  | { readonly is: "in"; readonly of: Operand; readonly among: readonly Operand[] }
  | { readonly is: "function"; readonly name: string; readonly path: Path; readonly given: Operand | undefined };

const SIGNS = new Set(["=", "<>", "<", "<=", ">", ">="]);
const FUNCTIONS: ReadonlyMap<string, number> = new Map([
  ["attribute_exists", 1],
  ["attribute_not_exists", 1],
  ["attribute_type", 2],
  ["begins_with", 2],
  ["contains", 2],
]);
const DEEPEST = 50;

/** Reads a condition, whole. */
export function readCondition(expression: string, words: Words): Condition {
  const reader = new TokenReader(expression);
  const condition = either(reader, words, 0);
  if (reader.next !== "") throw reader.unexpected();
  return condition;
}

function either(reader: TokenReader, words: Words, depth: number): Condition {
  const parts = [both(reader, words, depth)];
  while (reader.takes("OR")) parts.push(both(reader, words, depth));
  return parts.length === 1 ? parts[0]! : { is: "or", parts };
}

function both(reader: TokenReader, words: Words, depth: number): Condition {
  const parts = [single(reader, words, depth)];
  while (reader.takes("AND")) parts.push(single(reader, words, depth));
  return parts.length === 1 ? parts[0]! : { is: "and", parts };
}

function single(reader: TokenReader, words: Words, depth: number): Condition {
  if (depth > DEEPEST) throw invalid("Invalid expression: The expression has exceeded the maximum depth");
  if (reader.takes("NOT")) return { is: "not", part: single(reader, words, depth + 1) };
  if (reader.takes("(")) {
    const inner = either(reader, words, depth + 1);
    reader.expect(")");
    return inner;
  }
  const takes = reader.afterNext === "(" ? FUNCTIONS.get(reader.next) : undefined;
  if (takes !== undefined) {
    const name = reader.take();
    reader.expect("(");
    const path = readPath(reader, words);
    const given = takes === 2 ? (reader.expect(","), readOperand(reader, words)) : undefined;
    reader.expect(")");
    return { is: "function", name, path, given };
  }
  const one = readOperand(reader, words);
  if (reader.takes("BETWEEN")) {
    const least = readOperand(reader, words);
    reader.expect("AND");
    return { is: "between", of: one, least, most: readOperand(reader, words) };
  }
  if (reader.takes("IN")) {
    reader.expect("(");
    const among = [readOperand(reader, words)];
    while (reader.takes(",")) among.push(readOperand(reader, words));
    reader.expect(")");
    return { is: "in", of: one, among };
  }
  if (!SIGNS.has(reader.next)) throw reader.unexpected();
  return { is: "compare", sign: reader.take(), one, other: readOperand(reader, words) };
}

function readOperand(reader: TokenReader, words: Words): Operand {
  if (reader.next.startsWith(":")) return { is: "value", value: words.value(reader.take()) };
  if (reader.next === "size" && reader.afterNext === "(") {
    reader.take();
    reader.take();
    const path = readPath(reader, words);
    reader.expect(")");
    return { is: "size", path };
  }
  return { is: "path", path: readPath(reader, words) };
}

/** Names of the attributes that a condition looks at. */
export function attributesOf(condition: Condition): readonly string[] {
  const inOperand = (operand: Operand | undefined): readonly string[] =>
    operand === undefined || operand.is === "value" ? [] : [operand.path[0]];
  switch (condition.is) {
    case "and":
    case "or":
      return condition.parts.flatMap(attributesOf);
    case "not":
      return attributesOf(condition.part);
    case "compare":
      return [condition.one, condition.other].flatMap(inOperand);
    case "between":
      return [condition.of, condition.least, condition.most].flatMap(inOperand);
    case "in":
      return [condition.of, ...condition.among].flatMap(inOperand);
    case "function":
      return [condition.path[0], ...inOperand(condition.given)];
  }
}

/** Whether a condition is true of an item. What is not there makes comparisons false. */
export function holds(condition: Condition, item: Item): boolean {
  switch (condition.is) {
    case "and":
      return condition.parts.every((part) => holds(part, item));
    case "or":
      return condition.parts.some((part) => holds(part, item));
    case "not":
      return !holds(condition.part, item);
    case "compare":
      return compares(condition.sign, valueOf(condition.one, item), valueOf(condition.other, item));
    case "between": {
      const value = valueOf(condition.of, item);
      return (
        compares(">=", value, valueOf(condition.least, item)) && compares("<=", value, valueOf(condition.most, item))
      );
    }
    case "in": {
      const value = valueOf(condition.of, item);
      return condition.among.some((each) => compares("=", value, valueOf(each, item)));
    }
    case "function":
      return applies(condition.name, valueAt(item, condition.path), condition.given && valueOf(condition.given, item));
  }
}

export function compares(sign: string, one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return sign === "<>" && one !== other;
  if (sign === "=") return isSame(one, other);
  if (sign === "<>") return !isSame(one, other);
  const order = compare(one, other);
  if (order === undefined) return false;
  return sign === "<" ? order < 0 : sign === "<=" ? order <= 0 : sign === ">" ? order > 0 : order >= 0;
}

function applies(name: string, value: Value | undefined, given: Value | undefined): boolean {
  switch (name) {
    case "attribute_exists":
      return value !== undefined;
    case "attribute_not_exists":
      return value === undefined;
    case "attribute_type":
      return value !== undefined && given !== undefined && "S" in given && typeOf(value) === given.S;
    case "begins_with":
      return beginsWith(value, given);
    default:
      return value !== undefined && given !== undefined && contains(value, given);
  }
}

export function beginsWith(value: Value | undefined, start: Value | undefined): boolean {
  if (value === undefined || start === undefined) return false;
  if ("S" in value && "S" in start) return value.S.startsWith(start.S);
  if (!("B" in value) || !("B" in start)) return false;
  const wanted = Buffer.from(start.B, "base64");
  return Buffer.from(value.B, "base64").subarray(0, wanted.length).equals(wanted);
}

function contains(value: Value, part: Value): boolean {
  if ("S" in value) return "S" in part && value.S.includes(part.S);
  if ("SS" in value) return "S" in part && value.SS.includes(part.S);
  if ("NS" in value) return "N" in part && value.NS.includes(part.N);
  if ("BS" in value) return "B" in part && value.BS.includes(part.B);
  return "L" in value && value.L.some((each) => isSame(each, part));
}

function valueOf(operand: Operand, item: Item): Value | undefined {
  if (operand.is === "value") return operand.value;
  const value = valueAt(item, operand.path);
  if (operand.is === "path" || value === undefined) return value;
  const size =
    "S" in value
      ? Buffer.byteLength(value.S)
      : "B" in value
        ? Buffer.byteLength(value.B, "base64")
        : Object.values(value).map((each) => (Array.isArray(each) ? each.length : undefined))[0];
  return size === undefined ? undefined : { N: String(size) };
}
