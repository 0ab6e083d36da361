import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttributeValue, Operations, TransactWriteItem } from "@gatewright/aws-wire/types/dynamodb";
import { AwsError } from "../aws-error.ts";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createDynamoDb } from "./create-dynamodb.ts";

const TableName = "accounts";
const S = (text: string): AttributeValue => ({ S: text });
const N = (number: number): AttributeValue => ({ N: String(number) });
const Key = (id: string) => ({ id: S(id) });
const put = (id: string, balance: number): TransactWriteItem => ({
  Put: { TableName, Item: { id: S(id), balance: N(balance) } },
});
const pay = (id: string, by: number, more: object = {}): TransactWriteItem => ({
  Update: {
    TableName,
    Key: Key(id),
    UpdateExpression: "SET balance = balance + :by",
    ExpressionAttributeValues: { ":by": N(by) },
    ...more,
  },
});

async function setUp() {
  const world = testWorld({ durations: 0, lag: false });
  const call = serviceCaller<Operations>(createDynamoDb(world).service);
  await call("CreateTable", {
    TableName,
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const write = (TransactItems: readonly TransactWriteItem[], ClientRequestToken?: string) =>
    call("TransactWriteItems", { TransactItems, ClientRequestToken });
  const balances = async (...ids: readonly string[]) => {
    const TransactItems = ids.map((id) => ({ Get: { TableName, Key: Key(id) } }));
    const { Responses = [] } = await call("TransactGetItems", { TransactItems });
    return Responses.map(({ Item }) => Item && Number(Item["balance"]?.N));
  };
  return { world, call, write, balances };
}

/** For `assert.rejects`: a transaction that was cancelled for these reasons. */
function cancelled(reasons: readonly object[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AwsError && error.code === "TransactionCanceledException", String(error));
    assert.deepEqual(error.details?.["CancellationReasons"], reasons);
    const codes = reasons.map((reason) => (reason as { Code: string }).Code).join(", ");
    assert.ok(error.message.endsWith(`specific reasons [${codes}]`), error.message);
    return true;
  };
}

test("a transaction does all of its parts, and reads give them in order", async () => {
  const { call, write, balances } = await setUp();
  await write([put("a", 10), put("b", 0), put("c", 1)]);
  const answer = await call("TransactWriteItems", {
    TransactItems: [
      pay("a", -4),
      pay("b", 4),
      { Delete: { TableName, Key: Key("c") } },
      { ConditionCheck: { TableName, Key: Key("d"), ConditionExpression: "attribute_not_exists(id)" } },
    ],
    ReturnConsumedCapacity: "TOTAL",
  });
  assert.deepEqual(answer.ConsumedCapacity, [{ TableName, CapacityUnits: 8 }]);
  assert.deepEqual(await balances("c", "b", "d", "a"), [undefined, 4, undefined, 6]);
});

test("a transaction of which one part cannot be done does nothing, and says why of each part", async () => {
  const { write, balances } = await setUp();
  await write([put("a", 10), put("b", 0)]);
  const enough = { ConditionExpression: "balance >= :by", ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  const check = { TableName, Key: Key("a"), ConditionExpression: "attribute_not_exists(id)" };
  await assert.rejects(
    write([put("c", 1), { ConditionCheck: check }, pay("b", 20, enough)]),
    cancelled([
      { Code: "None" },
      { Code: "ConditionalCheckFailed", Message: "The conditional request failed" },
      {
        Code: "ConditionalCheckFailed",
        Message: "The conditional request failed",
        Item: { id: S("b"), balance: N(0) },
      },
    ]),
  );
  await assert.rejects(
    write([pay("a", 1), pay("missing", 1), { Delete: { TableName, Key: { other: S("a") } } }]),
    cancelled([
      { Code: "None" },
      {
        Code: "ValidationError",
        Message: "The provided expression refers to an attribute that does not exist in the item",
      },
      { Code: "ValidationError", Message: "The provided key element does not match the schema" },
    ]),
  );
  assert.deepEqual(await balances("a", "b", "c"), [10, 0, undefined]);
});

test("a transaction that is malformed, too large or has two parts for one item is refused", async () => {
  const { call, write, balances } = await setUp();
  await assert.rejects(write([put("a", 1), pay("a", 1)]), {
    code: "ValidationException",
    message: "Transaction request cannot include multiple operations on one item",
  });
  await assert.rejects(balances("a", "a"), /multiple operations on one item/);
  const invalid = refusal("ValidationException");
  await assert.rejects(write(Array.from({ length: 101 }, (_, i) => put(String(i), 1))), invalid);
  await assert.rejects(write([{}]), invalid);
  await assert.rejects(write([{ ...put("a", 1), ...pay("b", 1) }]), /only contain one of/);
  await assert.rejects(write([put("a", 1), pay("b", 1, { UpdateExpression: "SET" })]), invalid);
  const elsewhere = { Put: { TableName: "other", Item: Key("a") } };
  await assert.rejects(write([put("a", 1), elsewhere]), refusal("ResourceNotFoundException"));
  assert.equal((await call("Scan", { TableName })).Count, 0);
});

test("a transaction that is repeated with its token within ten minutes is done once", async () => {
  const { world, write, balances } = await setUp();
  await write([put("a", 0)]);
  await write([pay("a", 1)], "token");
  world.clock.advance(9 * 60_000);
  await write([pay("a", 1)], "token");
  assert.deepEqual(await balances("a"), [1]);
  await assert.rejects(write([pay("a", 2)], "token"), refusal("IdempotentParameterMismatchException"));
  world.clock.advance(60_000);
  await write([pay("a", 2)], "token");
  assert.deepEqual(await balances("a"), [3]);
});

test("the token of a transaction that was cancelled can be used again", async () => {
  const { write, balances } = await setUp();
  await assert.rejects(write([pay("a", 1)], "token"), refusal("TransactionCanceledException"));
  await write([put("a", 5)], "token");
  assert.deepEqual(await balances("a"), [5]);
});
