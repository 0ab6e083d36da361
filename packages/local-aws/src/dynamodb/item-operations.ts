import type { Operations } from "@gatewright/aws-wire/types/dynamodb";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { holds, readCondition } from "./condition.ts";
import { expressionWords } from "./expression-words.ts";
import type { Words } from "./expression-words.ts";
import { checkItemKeys, itemKey, readKey } from "./item-key.ts";
import { itemSize } from "./item-size.ts";
import { projected } from "./projection.ts";
import type { Item, TableRecord } from "./records.ts";
import { invalid, notServed } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { readUpdate } from "./update-expression.ts";
import { attributeOf, itemTold, readItem } from "./value.ts";

const LARGEST = 400 * 1024;
const LEGACY = [
  "AttributesToGet",
  "AttributeUpdates",
  "ConditionalOperator",
  "Expected",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
];

/** Single items: put, got, changed and deleted. */
export function itemOperations(store: DynamoStore): Handlers<Operations> {
  return {
    GetItem: (input, context) => {
      checkModern(input);
      const table = store.tableOfItems(context, input.TableName);
      const words = expressionWords(input);
      const item = store.items.get(itemKey(table, readKey(table, input.Key)));
      const shown = item && projected(item, input.ProjectionExpression, words);
      words.checkUsed();
      return { ...(shown && { Item: itemTold(shown) }), ...consumed(input, table, 0.5) };
    },
    PutItem: async (input, context) => {
      checkModern(input);
      const table = store.tableOfItems(context, input.TableName);
      const item = readItem(input.Item);
      checkItemKeys(table, item);
      checkSize(item);
      const words = expressionWords(input);
      const before = checked(store, table, item, input, words);
      words.checkUsed();
      await store.commit((commit) => commit.put(store.items, itemKey(table, item), item));
      return { ...returned(input.ReturnValues, before, undefined), ...consumed(input, table, 1) };
    },
    DeleteItem: async (input, context) => {
      checkModern(input);
      const table = store.tableOfItems(context, input.TableName);
      const key = readKey(table, input.Key);
      const words = expressionWords(input);
      const before = checked(store, table, key, input, words);
      words.checkUsed();
      if (before !== undefined) await store.commit((commit) => commit.delete(store.items, itemKey(table, key)));
      return { ...returned(input.ReturnValues, before, undefined), ...consumed(input, table, 1) };
    },
    UpdateItem: async (input, context) => {
      checkModern(input);
      const table = store.tableOfItems(context, input.TableName);
      const key = readKey(table, input.Key);
      const words = expressionWords(input);
      const update = input.UpdateExpression === undefined ? undefined : readUpdate(input.UpdateExpression, words);
      const before = checked(store, table, key, input, words);
      words.checkUsed();
      const fixed = update?.touched.find((name) => attributeOf(key, name) !== undefined);
      if (fixed !== undefined) {
        throw invalid(
          `One or more parameter values were invalid: Cannot update attribute ${fixed}. This attribute is part of the key`,
        );
      }
      const next = update?.apply(before ?? key) ?? before ?? key;
      checkItemKeys(table, next);
      checkSize(next);
      await store.commit((commit) => commit.put(store.items, itemKey(table, key), next));
      const touched = new Set(update?.touched);
      return { ...returned(input.ReturnValues, before, next, touched), ...consumed(input, table, 1) };
    },
  };
}

/** What was there before, if the condition of the call allows for it. */
function checked(
  store: DynamoStore,
  table: TableRecord,
  key: Item,
  input: {
    readonly ConditionExpression?: string | undefined;
    readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
  },
  words: Words,
): Item | undefined {
  const before = store.items.get(itemKey(table, key));
  if (input.ConditionExpression === undefined) return before;
  if (holds(readCondition(input.ConditionExpression, words), before ?? [])) return before;
  const wanted = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && before !== undefined;
  throw new AwsError("ConditionalCheckFailedException", "The conditional request failed", {
    ...(wanted && { details: { Item: jsonItem(before) } }),
  });
}

function returned(
  wanted: string | undefined,
  before: Item | undefined,
  after: Item | undefined,
  touched: ReadonlySet<string> = new Set(),
) {
  const changed = (item: Item) => item.filter(([name]) => touched.has(name));
  switch (wanted) {
    case "ALL_OLD":
      return before && { Attributes: itemTold(before) };
    case "UPDATED_OLD":
      return before && { Attributes: itemTold(changed(before)) };
    case "ALL_NEW":
      return after && { Attributes: itemTold(after) };
    case "UPDATED_NEW":
      return after && { Attributes: itemTold(changed(after)) };
    default:
      return undefined;
  }
}

/** Refuses the parameters of before there were expressions. */
export function checkModern(input: object): void {
  const old = LEGACY.find((name) => Object.hasOwn(input, name));
  if (old !== undefined) throw notServed(`The parameter ${old}, from before there were expressions,`);
}

/** What a call is said to have used, when it asks. */
export function consumed(
  input: { readonly ReturnConsumedCapacity?: string | undefined },
  { name }: TableRecord,
  units: number,
) {
  const { ReturnConsumedCapacity: wanted } = input;
  return wanted === "TOTAL" || wanted === "INDEXES"
    ? { ConsumedCapacity: { TableName: name, CapacityUnits: units } }
    : undefined;
}

function checkSize(item: Item): void {
  if (itemSize(item) > LARGEST) throw invalid("Item size has exceeded the maximum allowed size");
}

/** As errors carry items: past the encoding of answers, bytes are texts already. */
function jsonItem(item: Item): Readonly<Record<string, unknown>> {
  const plain = (value: Item[number][1]): unknown =>
    "M" in value ? { M: jsonItem(value.M) } : "L" in value ? { L: value.L.map(plain) } : value;
  return Object.fromEntries(item.map(([name, value]) => [name, plain(value)]));
}
