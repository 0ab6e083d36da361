import { holds, readCondition } from "./condition.ts";
import { expressionWords } from "./expression-words.ts";
import type { Words } from "./expression-words.ts";
import { checkItemKeys, itemKey, readKey } from "./item-key.ts";
import { itemSize } from "./item-size.ts";
import type { Item, TableRecord } from "./records.ts";
import { invalid, wrongValues } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";
import { readUpdate } from "./update-expression.ts";
import { attributeOf, readItem } from "./value.ts";
import type { WireItem } from "./value.ts";

/** What is to become of one item; worked out from what is there, and not done yet. */
export interface Write {
  /** Where the item is kept. */
  readonly at: string;
  /** Whether the condition holds. */
  readonly allows: (before: Item | undefined) => boolean;
  /** What is there afterwards: the same when nothing is to change, undefined when nothing is to be there. */
  readonly after: (before: Item | undefined) => Item | undefined;
  /** Names of the attributes that an update changes. */
  readonly touched: ReadonlySet<string>;
}

/** A write whose expressions and values are well-formed; whether it fits a table is found out with the table. */
export type WriteReader = (table: TableRecord) => Write;

export interface Change {
  readonly at: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

interface Conditional {
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: WireItem | undefined;
}

const LARGEST = 400 * 1024;
const NOTHING: ReadonlySet<string> = new Set();

export function readPut(input: Conditional & { readonly Item: WireItem }): WriteReader {
  const item = readItem(input.Item);
  if (itemSize(item) > LARGEST) throw invalid("Item size has exceeded the maximum allowed size");
  const words = expressionWords(input);
  const allows = readAllows(input, words);
  words.checkUsed();
  return (table) => {
    checkItemKeys(table, item);
    return { at: itemKey(table, item), allows, after: () => item, touched: NOTHING };
  };
}

export function readDelete(input: Conditional & { readonly Key: WireItem }): WriteReader {
  return readUnchanged(input, () => undefined);
}

/** Writes nothing: its condition must hold for what is written together with it. */
export function readCheck(input: Conditional & { readonly Key: WireItem }): WriteReader {
  return readUnchanged(input, (before) => before);
}

function readUnchanged(input: Conditional & { readonly Key: WireItem }, after: Write["after"]): WriteReader {
  const words = expressionWords(input);
  const allows = readAllows(input, words);
  words.checkUsed();
  return (table) => ({ at: itemKey(table, readKey(table, input.Key)), allows, after, touched: NOTHING });
}

export function readItemUpdate(
  input: Conditional & { readonly Key: WireItem; readonly UpdateExpression?: string | undefined },
): WriteReader {
  const words = expressionWords(input);
  const update = input.UpdateExpression === undefined ? undefined : readUpdate(input.UpdateExpression, words);
  const allows = readAllows(input, words);
  words.checkUsed();
  return (table) => {
    const key = readKey(table, input.Key);
    const fixed = update?.touched.find((name) => attributeOf(key, name) !== undefined);
    if (fixed !== undefined) throw wrongValues(`Cannot update attribute ${fixed}. This attribute is part of the key`);
    const after = (before: Item | undefined): Item => {
      const next = update?.apply(before ?? key) ?? before ?? key;
      checkItemKeys(table, next);
      if (itemSize(next) > LARGEST) throw invalid("Item size to update has exceeded the maximum allowed size");
      return next;
    };
    return { at: itemKey(table, key), allows, after, touched: new Set(update?.touched) };
  };
}

/** Makes changes, all of them together, and `more` with them. */
export async function commitChanges(
  store: DynamoStore,
  changes: readonly Change[],
  more?: Parameters<DynamoStore["commit"]>[0],
): Promise<void> {
  const real = changes.filter(({ before, after }) => after !== before);
  if (real.length === 0 && more === undefined) return;
  await store.commit((commit) => {
    for (const { at, after } of real) {
      if (after === undefined) commit.delete(store.items, at);
      else commit.put(store.items, at, after);
    }
    more?.(commit);
  });
}

/** What those whose condition did not hold are told besides, if they asked for it: the item that is there. */
export function itemThatWasThere(
  input: { readonly ReturnValuesOnConditionCheckFailure?: string | undefined },
  before: Item | undefined,
): { readonly Item?: Readonly<Record<string, unknown>> } {
  return input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && before !== undefined
    ? { Item: jsonItem(before) }
    : {};
}

function readAllows({ ConditionExpression: expression }: Conditional, words: Words): Write["allows"] {
  if (expression === undefined) return () => true;
  const condition = readCondition(expression, words);
  return (before) => holds(condition, before ?? []);
}

/** As errors carry items: past the encoding of answers, bytes are texts already. */
function jsonItem(item: Item): Readonly<Record<string, unknown>> {
  const plain = (value: Item[number][1]): unknown =>
    "M" in value ? { M: jsonItem(value.M) } : "L" in value ? { L: value.L.map(plain) } : value;
  return Object.fromEntries(item.map(([name, value]) => [name, plain(value)]));
}
