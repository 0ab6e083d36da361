import type { Operations, TransactWriteItem } from "@gatewright/aws-wire/types/dynamodb";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { consumedByTables } from "./consumed.ts";
import { expressionWords } from "./expression-words.ts";
import { itemKey, readKey } from "./item-key.ts";
import { commitChanges, itemThatWasThere, readCheck, readDelete, readItemUpdate, readPut } from "./item-write.ts";
import type { Change, Write, WriteReader } from "./item-write.ts";
import { readProjection } from "./projection.ts";
import { invalid } from "./refusals.ts";
import { requestTokens } from "./request-tokens.ts";
import type { DynamoStore } from "./store.ts";
import { itemTold } from "./value.ts";

/** What one part of a transaction came to: something that the rest can use, or the reason why nothing is done. */
type Part<T> =
  | { readonly is: "fine"; readonly value: T }
  | { readonly is: "refused"; readonly reason: Readonly<Record<string, unknown>> };

interface Action {
  readonly TableName: string;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
  readonly read: WriteReader;
}

const MOST = 100;

/** Many items in one call, all or nothing. */
export function transactOperations(world: AwsWorld, store: DynamoStore): Handlers<Operations> {
  const tokens = requestTokens(world);
  return {
    TransactGetItems: (input, context) => {
      checkCount(input.TransactItems);
      const wanted = input.TransactItems.map(({ Get: given }) => {
        const words = expressionWords(given);
        const projected = readProjection(given.ProjectionExpression, words);
        words.checkUsed();
        return { given, projected };
      });
      const tables = wanted.map(({ given }) => store.tableOfItems(context, given.TableName));
      const places = wanted.map(({ given }, i) => attempt(() => itemKey(tables[i]!, readKey(tables[i]!, given.Key))));
      checkOnce(places.flatMap((place) => (place.is === "fine" ? place.value : [])));
      const Responses = allFine(places).map((at, i) => {
        const item = store.items.get(at);
        return item === undefined ? {} : { Item: itemTold(wanted[i]!.projected(item)) };
      });
      return { Responses, ...consumedByTables(input, tables, 2) };
    },
    TransactWriteItems: async (input, context) => {
      checkCount(input.TransactItems);
      const { ClientRequestToken: token, TransactItems: asked } = input;
      const actions = asked.map(readAction);
      const tables = actions.map(({ TableName }) => store.tableOfItems(context, TableName));
      if (token !== undefined && tokens.isDone(context, token, asked)) return { ...consumedByTables(input, tables, 2) };
      const writes = actions.map(({ read }, i) => attempt(() => read(tables[i]!)));
      checkOnce(writes.flatMap((write) => (write.is === "fine" ? write.value.at : [])));
      const changes = allFine(
        writes.map((write, i) => (write.is === "fine" ? decided(store, write.value, actions[i]!) : write)),
      );
      await commitChanges(store, changes, (commit) => {
        if (token !== undefined) tokens.remember(commit, context, token, asked);
      });
      return { ...consumedByTables(input, tables, 2) };
    },
  };
}

function readAction({ ConditionCheck, Put, Update, Delete }: TransactWriteItem): Action {
  const [action, ...more] = [
    ConditionCheck && { ...ConditionCheck, read: readCheck(ConditionCheck) },
    Put && { ...Put, read: readPut(Put) },
    Update && { ...Update, read: readItemUpdate(Update) },
    Delete && { ...Delete, read: readDelete(Delete) },
  ].filter((each) => each !== undefined);
  if (action === undefined) {
    throw invalid("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
  }
  if (more.length > 0) throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
  return action;
}

function decided(store: DynamoStore, write: Write, action: Action): Part<Change> {
  const before = store.items.get(write.at);
  if (write.allows(before)) return attempt(() => ({ at: write.at, before, after: write.after(before) }));
  return {
    is: "refused",
    reason: {
      Code: "ConditionalCheckFailed",
      Message: "The conditional request failed",
      ...itemThatWasThere(action, before),
    },
  };
}

/** What does not fit a table or its item is a reason among others; malformed expressions are refused before. */
function attempt<T>(work: () => T): Part<T> {
  try {
    return { is: "fine", value: work() };
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== "ValidationException") throw error;
    return { is: "refused", reason: { Code: "ValidationError", Message: error.message } };
  }
}

/** What the parts came to. Cancels the transaction when one of them was refused, with a word on every part, in their order. */
function allFine<T>(parts: readonly Part<T>[]): readonly T[] {
  const fine = parts.flatMap((part) => (part.is === "fine" ? [part.value] : []));
  if (fine.length === parts.length) return fine;
  const CancellationReasons = parts.map((part) => (part.is === "fine" ? { Code: "None" } : part.reason));
  const codes = CancellationReasons.map((reason) => reason["Code"]).join(", ");
  throw new AwsError(
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { details: { CancellationReasons } },
  );
}

function checkCount(items: readonly unknown[]): void {
  if (items.length > MOST) throw invalid(`Member must have length less than or equal to ${MOST}`);
}

function checkOnce(places: readonly string[]): void {
  if (new Set(places).size < places.length) {
    throw invalid("Transaction request cannot include multiple operations on one item");
  }
}
