import { holds } from "./condition.ts";
import { itemKeysOf, typeFor } from "./item-key.ts";
import type { KeyCondition } from "./key-condition.ts";
import type { IndexRecord, Item, TableRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import { attributeOf, readItem, typeOf } from "./value.ts";
import type { WireItem } from "./value.ts";

/** The key at which the page before ended: that of the table, and of the index if one is read. */
export function readStartKey(
  table: TableRecord,
  index: IndexRecord | undefined,
  given: WireItem | undefined,
): Item | undefined {
  if (given === undefined) return undefined;
  const start = readItem(given);
  const names = itemKeysOf(table, index);
  const right = names.every((name) => {
    const value = attributeOf(start, name);
    return value !== undefined && typeOf(value) === typeFor(table, name);
  });
  if (!right || start.length !== names.length) throw invalid("The provided starting key is invalid");
  return start;
}

/** Refuses keys that no page of the query can have ended at. */
export function checkStartKey({ partition, range }: KeyCondition, start: Item | undefined): void {
  if (start === undefined) return;
  if (!holds(partition, start)) {
    throw invalid("The provided starting key is outside query boundaries based on provided conditions");
  }
  if (range !== undefined && !holds(range, start)) {
    throw invalid("The provided starting key does not match the range key predicate");
  }
}
