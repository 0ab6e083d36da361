import type { AttributeValue } from "@gatewright/aws-wire/types/dynamodb";
import { compareNumbers, normalNumber } from "./number.ts";
import type { Item, Value } from "./records.ts";
import { invalid } from "./refusals.ts";

const DEEPEST = 32;

/** Attributes as a client gives them. */
export type WireItem = Readonly<Record<string, AttributeValue>>;

/** Reads attributes; refuses what is no value. */
export function readItem(given: WireItem, depth = 0): Item {
  return Object.entries(given).map(([name, value]) => [name, readValue(value, depth)] as const);
}

/** Attributes for a client. */
export function itemTold(item: Item): WireItem {
  return Object.fromEntries(item.map(([name, value]) => [name, valueTold(value)]));
}

export function readValue(given: AttributeValue, depth = 0): Value {
  if (depth > DEEPEST) throw invalid("Nesting Levels have exceeded supported limits");
  const types = Object.entries(given).filter(([, value]) => value !== undefined);
  if (types.length !== 1) {
    throw invalid(
      `Supplied AttributeValue ${types.length === 0 ? "is empty" : "has more than one datatypes set"}, must contain exactly one of the supported datatypes`,
    );
  }
  const { S, N, B, SS, NS, BS, M, L, NULL, BOOL } = given;
  if (S !== undefined) return { S };
  if (N !== undefined) return { N: normalNumber(N) };
  if (B !== undefined) return { B: base64(B) };
  if (SS !== undefined) return { SS: set(SS) };
  if (NS !== undefined) return { NS: set(NS.map(normalNumber)) };
  if (BS !== undefined) return { BS: set(BS.map(base64)) };
  if (M !== undefined) return { M: readItem(M, depth + 1) };
  if (L !== undefined) return { L: L.map((each) => readValue(each, depth + 1)) };
  if (BOOL !== undefined) return { BOOL };
  if (NULL !== true)
    throw invalid("One or more parameter values were invalid: Null attribute value types must have the value of true");
  return { NULL: true };
}

function valueTold(value: Value): AttributeValue {
  if ("B" in value) return { B: bytes(value.B) };
  if ("BS" in value) return { BS: value.BS.map(bytes) };
  if ("M" in value) return { M: itemTold(value.M) };
  if ("L" in value) return { L: value.L.map(valueTold) };
  return value;
}

/** `S`, `N`, …. */
export function typeOf(value: Value): string {
  return Object.keys(value)[0] ?? "";
}

export function isSame(one: Value, other: Value): boolean {
  return canonical(one) === canonical(other);
}

/** The same text for the same value: sets and maps have no order. */
export function canonical(value: Value): string {
  if ("SS" in value) return JSON.stringify({ SS: value.SS.toSorted() });
  if ("NS" in value) return JSON.stringify({ NS: value.NS.toSorted() });
  if ("BS" in value) return JSON.stringify({ BS: value.BS.toSorted() });
  if ("L" in value) return `{"L":[${value.L.map(canonical).join(",")}]}`;
  if ("M" in value) {
    return `{"M":[${value.M.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
      .toSorted()
      .join(",")}]}`;
  }
  return JSON.stringify(value);
}

/** How two texts, numbers or byte strings are ordered; undefined for any others, and for those of different types. */
export function compare(one: Value, other: Value): number | undefined {
  if ("N" in one && "N" in other) return compareNumbers(one.N, other.N);
  if ("S" in one && "S" in other) return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if ("B" in one && "B" in other) return Buffer.compare(bytes(one.B), bytes(other.B));
  return undefined;
}

/** An attribute by name. */
export function attributeOf(item: Item, name: string): Value | undefined {
  return item.find(([each]) => each === name)?.[1];
}

/** The item with an attribute set, or with nothing removed. */
export function withAttribute(item: Item, name: string, value: Value | undefined): Item {
  const rest = item.filter(([each]) => each !== name);
  return value === undefined ? rest : [...rest, [name, value]];
}

function set(values: readonly string[]): readonly string[] {
  if (values.length === 0) throw invalid("One or more parameter values were invalid: An string set  may not be empty");
  if (new Set(values).size < values.length) {
    throw invalid("One or more parameter values were invalid: Input collection contains duplicates.");
  }
  return values;
}

function base64(value: Uint8Array): string {
  return Buffer.from(value).toString("base64");
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}
