import { hash } from "node:crypto";
import type { KeySchemaElement } from "@gatewright/aws-wire/types/dynamodb";
import type { IndexRecord, Item, TableRecord, Value } from "./records.ts";
import { invalid, wrongValues } from "./refusals.ts";
import { attributeOf, canonical, readItem, typeOf } from "./value.ts";
import type { WireItem } from "./value.ts";

const LONGEST_HASH = 2_048;
const LONGEST_RANGE = 1_024;

/** The key that a client names an item by. */
export function readKey(table: TableRecord, given: WireItem): Item {
  const key = readItem(given);
  const right =
    key.length === table.keys.length &&
    table.keys.every(({ AttributeName }) => {
      const value = attributeOf(key, AttributeName);
      return value !== undefined && typeOf(value) === typeFor(table, AttributeName);
    });
  if (!right) throw invalid("The provided key element does not match the schema");
  for (const element of table.keys) checkKeyValue(element, attributeOf(key, element.AttributeName));
  return key;
}

/** Refuses items whose keys, also those of indexes, are not as the table wants them. */
export function checkItemKeys(table: TableRecord, item: Item): void {
  for (const { AttributeName: name } of table.keys) {
    if (attributeOf(item, name) === undefined) throw wrongValues(`Missing the key ${name} in the item`);
  }
  for (const [index, element] of [...table.localIndexes, ...table.indexes].flatMap(({ name, keys }) =>
    keys.map((key) => [name, key] as const),
  )) {
    const value = attributeOf(item, element.AttributeName);
    if (value !== undefined) checkType(table, element.AttributeName, value, ` IndexName: ${index}`);
  }
  for (const element of table.keys) {
    const value = attributeOf(item, element.AttributeName);
    if (value !== undefined) checkType(table, element.AttributeName, value, "");
    checkKeyValue(element, value);
  }
}

/** Where an item is kept: items of a partition are together, partitions are in no order that means anything. */
export function itemKey(table: TableRecord, item: Item): string {
  const parts = table.keys.map(({ AttributeName }) => {
    const value = attributeOf(item, AttributeName);
    return hash("sha256", value === undefined ? "" : canonical(value), "hex").slice(0, 40);
  });
  return `${table.id}|${parts.join("|")}`;
}

/** The attributes of an item that are its keys, in the table and in an index. */
export function keyOf(table: TableRecord, index: IndexRecord | undefined, item: Item): Item {
  const names = itemKeysOf(table, index);
  return item.filter(([name]) => names.includes(name));
}

function checkType(table: TableRecord, name: string, value: Value, where: string): void {
  const [expected, actual] = [typeFor(table, name), typeOf(value)];
  if (expected !== actual)
    throw wrongValues(`Type mismatch for key ${name} expected: ${expected} actual: ${actual}${where}`);
}

function checkKeyValue({ AttributeName: name, KeyType }: KeySchemaElement, value: Value | undefined): void {
  if (value === undefined) return;
  const size = "S" in value ? Buffer.byteLength(value.S) : "B" in value ? Buffer.byteLength(value.B, "base64") : 1;
  if (size === 0) {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  const [most, kind] = KeyType === "HASH" ? [LONGEST_HASH, "hashkey"] : [LONGEST_RANGE, "rangekey"];
  if (size > most) throw wrongValues(`Size of ${kind} has exceeded the maximum size limit of ${most} bytes`);
}

/** Names of the attributes that say where an item is, in the table and in an index. */
export function itemKeysOf(table: TableRecord, index: IndexRecord | undefined): readonly string[] {
  return [...new Set([...table.keys, ...(index?.keys ?? [])].map(({ AttributeName }) => AttributeName))];
}

/** The type that an attribute of a key must have. */
export function typeFor({ definitions }: TableRecord, name: string): string | undefined {
  return definitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
}
