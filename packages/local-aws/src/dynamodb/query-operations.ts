import type { KeySchemaElement, Operations, QueryInput, ScanInput } from "@gatewright/aws-wire/types/dynamodb";
import type { Handlers } from "../service.ts";
import { holds, readCondition } from "./condition.ts";
import { expressionWords } from "./expression-words.ts";
import type { Words } from "./expression-words.ts";
import { itemKey, keyOf } from "./item-key.ts";
import { checkModern, consumed } from "./item-operations.ts";
import { itemSize } from "./item-size.ts";
import { isChosen, readKeyCondition } from "./key-condition.ts";
import { projected } from "./projection.ts";
import type { IndexRecord, Item, TableRecord } from "./records.ts";
import { invalid, notServed } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { attributeOf, compare, itemTold, readItem } from "./value.ts";

const PAGE_BYTES = 1024 * 1024;

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
      const condition = readKeyCondition(readCondition(input.KeyConditionExpression, words), keys);
      const found = items
        .filter((item) => isChosen(condition, item))
        .toSorted((one, other) => inOrder(keys, one, other));
      return page(table, index, input.ScanIndexForward === false ? found.toReversed() : found, input, words);
    },
    Scan: (input, context) => {
      const table = store.tableOfItems(context, input.TableName);
      if ((input.TotalSegments ?? 1) > 1) throw notServed("A scan in segments");
      const { index, items } = source(store, table, input);
      return page(table, index, items, input, expressionWords(input));
    },
  };
}

/** The items of the table, or those that are in the index; in the order in which they are kept. */
function source(store: DynamoStore, table: TableRecord, input: QueryInput | ScanInput) {
  checkModern(input);
  const all = [...store.items.scan(`${table.id}|`)].map(([, item]) => item);
  const { IndexName: name } = input;
  if (name === undefined) return { index: undefined, keys: table.keys, items: all };
  const index = [...table.localIndexes, ...table.indexes].find((each) => each.name === name);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${name}`);
  if (input.ConsistentRead === true && table.indexes.some((each) => each.name === name)) {
    throw invalid("Consistent reads are not supported on global secondary indexes");
  }
  const items = all.filter((item) => index.keys.every((key) => attributeOf(item, key.AttributeName) !== undefined));
  return { index, keys: index.keys, items: items.map((item) => inIndex(table, index, item)) };
}

/** What an index has of an item. */
function inIndex(table: TableRecord, { keys, projection }: IndexRecord, item: Item): Item {
  if (projection.ProjectionType === "ALL") return item;
  const others = new Set(projection.NonKeyAttributes);
  const both = [...table.keys, ...keys];
  return item.filter(([name]) => others.has(name) || both.some(({ AttributeName }) => AttributeName === name));
}

function inOrder(keys: readonly KeySchemaElement[], one: Item, other: Item): number {
  const range = keys[1]?.AttributeName;
  if (range === undefined) return 0;
  const [a, b] = [attributeOf(one, range), attributeOf(other, range)];
  return a === undefined || b === undefined ? 0 : (compare(a, b) ?? 0);
}

function page(
  table: TableRecord,
  index: IndexRecord | undefined,
  items: readonly Item[],
  input: QueryInput | ScanInput,
  words: Words,
) {
  const filter = input.FilterExpression === undefined ? undefined : readCondition(input.FilterExpression, words);
  const rest = after(table, items, input);
  const looked: Item[] = [];
  let bytes = 0;
  for (const item of rest) {
    if (looked.length >= (input.Limit ?? Infinity) || bytes >= PAGE_BYTES) break;
    looked.push(item);
    bytes += itemSize(item);
  }
  const found = filter === undefined ? looked : looked.filter((item) => holds(filter, item));
  // An expression is read also where there is nothing to show of it.
  projected([], input.ProjectionExpression, words);
  const shown = found.map((item) => itemTold(projected(item, input.ProjectionExpression, words)));
  words.checkUsed();
  const last = looked.at(-1);
  const more = last !== undefined && (looked.length < rest.length || looked.length === input.Limit);
  return {
    ...(input.Select !== "COUNT" && { Items: shown }),
    Count: found.length,
    ScannedCount: looked.length,
    ...(more && { LastEvaluatedKey: itemTold(keyOf([...table.keys, ...(index?.keys ?? [])], last)) }),
    ...consumed(input, table, Math.max(0.5, Math.ceil(bytes / 4096) / 2)),
  };
}

function after(
  table: TableRecord,
  items: readonly Item[],
  { ExclusiveStartKey }: QueryInput | ScanInput,
): readonly Item[] {
  if (ExclusiveStartKey === undefined) return items;
  const start = readItem(ExclusiveStartKey);
  if (table.keys.some(({ AttributeName }) => attributeOf(start, AttributeName) === undefined)) {
    throw invalid("The provided starting key is invalid");
  }
  const wanted = itemKey(table, start);
  const at = items.findIndex((item) => itemKey(table, item) === wanted);
  // The item at which the page ended may be gone: in a scan those behind it are still known by where they are kept.
  return at === -1 ? items.filter((item) => itemKey(table, item) > wanted) : items.slice(at + 1);
}
