import type { KeySchemaElement, Operations, QueryInput, ScanInput } from "@gatewright/aws-wire/types/dynamodb";
import type { Handlers } from "../service.ts";
import { attributesOf, holds, readCondition } from "./condition.ts";
import type { Condition } from "./condition.ts";
import { consumed } from "./consumed.ts";
import { expressionWords } from "./expression-words.ts";
import type { Words } from "./expression-words.ts";
import { itemKey, keyOf } from "./item-key.ts";
import { checkModern } from "./item-operations.ts";
import { itemSize } from "./item-size.ts";
import { isChosen, readKeyCondition } from "./key-condition.ts";
import { readProjection } from "./projection.ts";
import type { IndexRecord, Item, TableRecord } from "./records.ts";
import { invalid, notServed } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { checkStartKey, readStartKey } from "./start-key.ts";
import { attributeOf, compare, itemTold } from "./value.ts";

const PAGE_BYTES = 1024 * 1024;

/** An item and where it is kept. */
interface Kept {
  readonly at: string;
  readonly item: Item;
}

/** Negative when the one comes before the other. No two items of a table are equal in it. */
type Order = (one: Kept, other: Kept) => number;

/** What is read, page by page. */
interface Reading {
  readonly table: TableRecord;
  readonly index: IndexRecord | undefined;
  readonly items: readonly Kept[];
  readonly order: Order;
  readonly filter: Condition | undefined;
  readonly start: Item | undefined;
}

/** Many items: those of a partition, or all of a table. */
export function queryOperations(store: DynamoStore): Handlers<Operations> {
  return {
    Query: (input, context) => {
      const table = store.tableOfItems(context, input.TableName);
      const { index, keys, items } = source(store, table, input);
      const words = expressionWords(input);
      if (input.KeyConditionExpression === undefined) {
        throw invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
      }
      const condition = readKeyCondition(readCondition(input.KeyConditionExpression, words), keys, table);
      const filter = readFilter(input, words);
      checkFilter(filter, keys);
      const start = readStartKey(table, index, input.ExclusiveStartKey);
      checkStartKey(condition, start);
      const forwards = byRange(keys);
      const order: Order = input.ScanIndexForward === false ? (one, other) => forwards(other, one) : forwards;
      const found = items.filter(({ item }) => isChosen(condition, item)).toSorted(order);
      return page({ table, index, items: found, order, filter, start }, input, words);
    },
    Scan: (input, context) => {
      const table = store.tableOfItems(context, input.TableName);
      if ((input.TotalSegments ?? 1) > 1) throw notServed("A scan in segments");
      const { index, items } = source(store, table, input);
      const words = expressionWords(input);
      const filter = readFilter(input, words);
      const start = readStartKey(table, index, input.ExclusiveStartKey);
      return page({ table, index, items, order: byPlace, filter, start }, input, words);
    },
  };
}

/** The items of the table, or those that are in the index; in the order in which they are kept. */
function source(store: DynamoStore, table: TableRecord, input: QueryInput | ScanInput) {
  checkModern(input);
  const all = [...store.items.scan(`${table.id}|`)].map(([at, item]): Kept => ({ at, item }));
  const { IndexName: name } = input;
  if (name === undefined) return { index: undefined, keys: table.keys, items: all };
  const index = [...table.localIndexes, ...table.indexes].find((each) => each.name === name);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${name}`);
  if (input.ConsistentRead === true && table.indexes.some((each) => each.name === name)) {
    throw invalid("Consistent reads are not supported on global secondary indexes");
  }
  const items = all
    .filter(({ item }) => index.keys.every((key) => attributeOf(item, key.AttributeName) !== undefined))
    .map(({ at, item }): Kept => ({ at, item: inIndex(table, index, item) }));
  return { index, keys: index.keys, items };
}

/** What an index has of an item. */
function inIndex(table: TableRecord, { keys, projection }: IndexRecord, item: Item): Item {
  if (projection.ProjectionType === "ALL") return item;
  const others = new Set(projection.NonKeyAttributes);
  const both = [...table.keys, ...keys];
  return item.filter(([name]) => others.has(name) || both.some(({ AttributeName }) => AttributeName === name));
}

/** As scans go: by where items are kept. */
function byPlace(one: Kept, other: Kept): number {
  return one.at < other.at ? -1 : one.at > other.at ? 1 : 0;
}

/** As queries go: by the range, and where that is the same, or where there is none, as scans do. */
function byRange(keys: readonly KeySchemaElement[]): Order {
  const range = keys[1]?.AttributeName;
  if (range === undefined) return byPlace;
  return (one, other) => {
    const [a, b] = [attributeOf(one.item, range), attributeOf(other.item, range)];
    const ranges = a === undefined || b === undefined ? 0 : (compare(a, b) ?? 0);
    return ranges === 0 ? byPlace(one, other) : ranges;
  };
}

function readFilter({ FilterExpression: expression }: QueryInput | ScanInput, words: Words): Condition | undefined {
  return expression === undefined ? undefined : readCondition(expression, words);
}

/** The keys of a query are for its key condition; scans may filter by them. */
function checkFilter(filter: Condition | undefined, keys: readonly KeySchemaElement[]): void {
  const key = filter && attributesOf(filter).find((name) => keys.some(({ AttributeName }) => AttributeName === name));
  if (key !== undefined) {
    throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key}`);
  }
}

function page({ table, index, filter, ...reading }: Reading, input: QueryInput | ScanInput, words: Words) {
  const rest = after(table, reading);
  const looked: Item[] = [];
  let bytes = 0;
  for (const { item } of rest) {
    if (looked.length >= (input.Limit ?? Infinity) || bytes >= PAGE_BYTES) break;
    looked.push(item);
    bytes += itemSize(item);
  }
  const found = filter === undefined ? looked : looked.filter((item) => holds(filter, item));
  const projected = readProjection(input.ProjectionExpression, words);
  const shown = found.map((item) => itemTold(projected(item)));
  words.checkUsed();
  const last = looked.at(-1);
  const more = last !== undefined && (looked.length < rest.length || looked.length === input.Limit);
  return {
    ...(input.Select !== "COUNT" && { Items: shown }),
    Count: found.length,
    ScannedCount: looked.length,
    ...(more && { LastEvaluatedKey: itemTold(keyOf(table, index, last)) }),
    ...consumed(input, table, Math.max(0.5, Math.ceil(bytes / 4096) / 2)),
  };
}

/** What comes behind the key at which the page before ended; its item may be gone by now, or may have been put there since. */
function after(table: TableRecord, { items, order, start: item }: Pick<Reading, "items" | "order" | "start">) {
  if (item === undefined) return items;
  const start: Kept = { at: itemKey(table, item), item };
  return items.filter((each) => order(start, each) < 0);
}
