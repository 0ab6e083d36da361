import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttributeValue, Operations } from "@gatewright/aws-wire/types/dynamodb";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createDynamoDb } from "./create-dynamodb.ts";

const S = (text: string): AttributeValue => ({ S: text });
const put = (id: string, more: Readonly<Record<string, AttributeValue>> = {}) => ({
  PutRequest: { Item: { id: S(id), ...more } },
});
const remove = (id: string) => ({ DeleteRequest: { Key: { id: S(id) } } });

async function setUp() {
  const call = serviceCaller<Operations>(createDynamoDb(testWorld({ durations: 0, lag: false })).service);
  for (const TableName of ["one", "two"]) {
    await call("CreateTable", {
      TableName,
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    });
  }
  return call;
}

test("a batch puts and deletes items of several tables, and another gets those that are there", async () => {
  const call = await setUp();
  await call("BatchWriteItem", { RequestItems: { one: [put("a", { n: S("x") }), put("b")], two: [put("a")] } });
  const answer = await call("BatchWriteItem", {
    RequestItems: { one: [remove("b"), remove("missing"), put("c")] },
    ReturnConsumedCapacity: "TOTAL",
  });
  assert.deepEqual(answer, { UnprocessedItems: {}, ConsumedCapacity: [{ TableName: "one", CapacityUnits: 3 }] });
  const { Responses, UnprocessedKeys } = await call("BatchGetItem", {
    RequestItems: {
      one: {
        Keys: ["a", "b", "c"].map((id) => ({ id: S(id) })),
        ProjectionExpression: "#n",
        ExpressionAttributeNames: { "#n": "n" },
      },
      two: { Keys: [{ id: S("a") }] },
    },
  });
  assert.deepEqual(Responses, { one: [{ n: S("x") }, {}], two: [{ id: S("a") }] });
  assert.deepEqual(UnprocessedKeys, {});
});

test("a batch with one request that is wrong does nothing", async () => {
  const call = await setUp();
  const write = (RequestItems: Operations["BatchWriteItem"]["input"]["RequestItems"]) =>
    call("BatchWriteItem", { RequestItems });
  await assert.rejects(write({ one: [put("a"), remove("a")] }), {
    code: "ValidationException",
    message: "Provided list of item keys contains duplicates",
  });
  const many = (count: number, from: string) => Array.from({ length: count }, (_, i) => put(`${from}${i}`));
  await assert.rejects(write({ one: many(13, "x"), two: many(13, "y") }), {
    message: "Too many items requested for the BatchWriteItem call",
  });
  await assert.rejects(write({ one: [put("a"), { PutRequest: { Item: {} } }] }), /Missing the key id/);
  await assert.rejects(write({ one: [put("a"), {}] }), refusal("ValidationException"));
  await assert.rejects(write({ one: [put("a"), { ...put("b"), ...remove("b") }] }), refusal("ValidationException"));
  await assert.rejects(write({ one: [put("a")], three: [put("a")] }), refusal("ResourceNotFoundException"));
  assert.equal((await call("Scan", { TableName: "one" })).Count, 0);
  await write({ one: many(12, "x"), two: many(13, "y") });
});

test("of a batch of keys each is asked for once, and no more than a hundred", async () => {
  const call = await setUp();
  const keys = (count: number) => Array.from({ length: count }, (_, i) => ({ id: S(String(i)) }));
  const get = (RequestItems: Operations["BatchGetItem"]["input"]["RequestItems"]) =>
    call("BatchGetItem", { RequestItems });
  await assert.rejects(get({ one: { Keys: [...keys(2), ...keys(1)] } }), {
    message: "Provided list of item keys contains duplicates",
  });
  await assert.rejects(get({ one: { Keys: keys(51) }, two: { Keys: keys(50) } }), {
    message: "Too many items requested for the BatchGetItem call",
  });
  await assert.rejects(get({ one: { Keys: [{ other: S("a") }] } }), /does not match the schema/);
  await assert.rejects(get({ one: { Keys: keys(1), AttributesToGet: ["id"] } }), /not served/);
  await assert.rejects(get({ three: { Keys: keys(1) } }), refusal("ResourceNotFoundException"));
  assert.deepEqual((await get({ one: { Keys: keys(50) }, two: { Keys: keys(50) } })).Responses, { one: [], two: [] });
});
