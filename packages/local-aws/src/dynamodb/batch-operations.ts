import type { Operations, WriteRequest } from "@gatewright/aws-wire/types/dynamodb";
import type { Handlers } from "../service.ts";
import { consumedByTables } from "./consumed.ts";
import { expressionWords } from "./expression-words.ts";
import { itemKey, readKey } from "./item-key.ts";
import { checkModern } from "./item-operations.ts";
import { commitChanges, readDelete, readPut } from "./item-write.ts";
import type { WriteReader } from "./item-write.ts";
import { readProjection } from "./projection.ts";
import { invalid } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { itemTold } from "./value.ts";

const MOST_WRITES = 25;
const MOST_KEYS = 100;

/** Many items in one call, each for itself. Nothing is ever left over for the client to ask for again. */
export function batchOperations(store: DynamoStore): Handlers<Operations> {
  return {
    BatchGetItem: (input, context) => {
      const wanted = Object.entries(input.RequestItems).map(([given, request]) => {
        checkModern(request);
        const words = expressionWords(request);
        const projected = readProjection(request.ProjectionExpression, words);
        words.checkUsed();
        return { given, keys: request.Keys, projected };
      });
      checkCount("BatchGetItem", wanted.flatMap(({ keys }) => keys).length, MOST_KEYS);
      const found = wanted.map(({ given, keys, projected }) => {
        const table = store.tableOfItems(context, given);
        return { given, table, projected, places: keys.map((key) => itemKey(table, readKey(table, key))) };
      });
      checkOnce(found.flatMap(({ places }) => places));
      const Responses = found.map(({ given, places, projected }) => {
        const items = places.map((at) => store.items.get(at)).filter((item) => item !== undefined);
        return [given, items.map((item) => itemTold(projected(item)))] as const;
      });
      const tables = found.flatMap(({ table, places }) => places.map(() => table));
      return {
        Responses: Object.fromEntries(Responses),
        UnprocessedKeys: {},
        ...consumedByTables(input, tables, 0.5),
      };
    },
    BatchWriteItem: async (input, context) => {
      const wanted = Object.entries(input.RequestItems).flatMap(([given, requests]) =>
        requests.map((request) => ({ given, read: readRequest(request) })),
      );
      checkCount("BatchWriteItem", wanted.length, MOST_WRITES);
      const found = wanted.map(({ given, read }) => {
        const table = store.tableOfItems(context, given);
        return { table, write: read(table) };
      });
      checkOnce(found.map(({ write }) => write.at));
      const changes = found.map(({ write: { at, after } }) => {
        const before = store.items.get(at);
        return { at, before, after: after(before) };
      });
      await commitChanges(store, changes);
      const tables = found.map(({ table }) => table);
      return { UnprocessedItems: {}, ...consumedByTables(input, tables, 1) };
    },
  };
}

function readRequest({ PutRequest, DeleteRequest }: WriteRequest): WriteReader {
  if (PutRequest !== undefined && DeleteRequest === undefined) return readPut(PutRequest);
  if (DeleteRequest !== undefined && PutRequest === undefined) return readDelete(DeleteRequest);
  // DynamoDB has no other words for requests than those for values.
  throw invalid(
    `Supplied AttributeValue ${PutRequest === undefined ? "is empty" : "has more than one datatypes set"}, must contain exactly one of the supported datatypes`,
  );
}

/** The model has the limit for each table, the call has it for all of them together. */
function checkCount(operation: string, count: number, most: number): void {
  if (count > most) throw invalid(`Too many items requested for the ${operation} call`);
}

function checkOnce(places: readonly string[]): void {
  if (new Set(places).size < places.length) throw invalid("Provided list of item keys contains duplicates");
}
