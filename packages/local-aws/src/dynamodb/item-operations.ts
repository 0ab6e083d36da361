import type { Operations } from "@gatewright/aws-wire/types/dynamodb";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { consumed } from "./consumed.ts";
import { expressionWords } from "./expression-words.ts";
import { itemKey, readKey } from "./item-key.ts";
import { commitChanges, itemThatWasThere, readDelete, readItemUpdate, readPut } from "./item-write.ts";
import type { Change, Write } from "./item-write.ts";
import { readProjection } from "./projection.ts";
import type { Item } from "./records.ts";
import { invalid, notServed } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { itemTold } from "./value.ts";

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
      const projected = readProjection(input.ProjectionExpression, words);
      words.checkUsed();
      const item = store.items.get(itemKey(table, readKey(table, input.Key)));
      return { ...(item && { Item: itemTold(projected(item)) }), ...consumed(input, table, 0.5) };
    },
    PutItem: async (input, context) => {
      checkModern(input);
      checkReturned(input.ReturnValues);
      const table = store.tableOfItems(context, input.TableName);
      const { before } = await written(store, readPut(input)(table), input);
      return { ...returned(input.ReturnValues, before, undefined), ...consumed(input, table, 1) };
    },
    DeleteItem: async (input, context) => {
      checkModern(input);
      checkReturned(input.ReturnValues);
      const table = store.tableOfItems(context, input.TableName);
      const { before } = await written(store, readDelete(input)(table), input);
      return { ...returned(input.ReturnValues, before, undefined), ...consumed(input, table, 1) };
    },
    UpdateItem: async (input, context) => {
      checkModern(input);
      const table = store.tableOfItems(context, input.TableName);
      const write = readItemUpdate(input)(table);
      const { before, after } = await written(store, write, input);
      return { ...returned(input.ReturnValues, before, after, write.touched), ...consumed(input, table, 1) };
    },
  };
}

/** Writes, if the condition of the call holds; gives what was there before and what is there now. */
async function written(
  store: DynamoStore,
  { at, allows, after }: Write,
  input: { readonly ReturnValuesOnConditionCheckFailure?: string | undefined },
): Promise<Change> {
  const before = store.items.get(at);
  if (!allows(before)) {
    throw new AwsError("ConditionalCheckFailedException", "The conditional request failed", {
      details: itemThatWasThere(input, before),
    });
  }
  const change = { at, before, after: after(before) };
  await commitChanges(store, [change]);
  return change;
}

/** What is put or deleted whole has nothing new to tell. */
function checkReturned(wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== "NONE" && wanted !== "ALL_OLD") {
    throw invalid("ReturnValues can only be ALL_OLD or NONE");
  }
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
