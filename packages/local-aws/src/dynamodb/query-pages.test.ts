import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttributeValue, Operations, QueryInput } from "@gatewright/aws-wire/types/dynamodb";
import { serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createDynamoDb } from "./create-dynamodb.ts";

const TableName = "jobs";
const S = (text: string): AttributeValue => ({ S: text });
const N = (number: number): AttributeValue => ({ N: String(number) });

/** Thirty items of one partition, in two indexes as well: all in one partition, with and without a range. */
async function setUp() {
  const world = testWorld({ durations: 0, lag: false });
  const call = serviceCaller<Operations>(createDynamoDb(world).service);
  await call("CreateTable", {
    TableName,
    AttributeDefinitions: [
      { AttributeName: "queue", AttributeType: "S" },
      { AttributeName: "at", AttributeType: "N" },
      { AttributeName: "state", AttributeType: "S" },
      { AttributeName: "rank", AttributeType: "N" },
    ],
    KeySchema: [
      { AttributeName: "queue", KeyType: "HASH" },
      { AttributeName: "at", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "by-state",
        KeySchema: [{ AttributeName: "state", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
      },
      {
        IndexName: "by-rank",
        KeySchema: [
          { AttributeName: "state", KeyType: "HASH" },
          { AttributeName: "rank", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
    BillingMode: "PAY_PER_REQUEST",
  });
  for (let i = 0; i < 30; i++) {
    const Item = { queue: S("q"), at: N((i * 37) % 101), state: S("open"), rank: N(i % 4) };
    await call("PutItem", { TableName, Item });
  }
  /** Deletes what each page gives before it asks for the next one; gives what it saw. */
  const drained = async (input: Partial<QueryInput>) => {
    const seen: number[] = [];
    let ExclusiveStartKey: QueryInput["ExclusiveStartKey"];
    do {
      const page: Operations["Query"]["output"] = await call("Query", {
        TableName,
        Limit: 4,
        ...input,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      });
      for (const { queue = S(""), at = S("") } of page.Items ?? []) {
        seen.push(Number(at.N));
        await call("DeleteItem", { TableName, Key: { queue, at } });
      }
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return { seen, left: (await call("Scan", { TableName })).Count };
  };
  return { drained };
}

const inNumbers = (one: number, other: number): number => one - other;

for (const ScanIndexForward of [true, false]) {
  const direction = ScanIndexForward ? "forwards" : "backwards";

  test(`a partition whose items are deleted page by page is seen whole and in order, ${direction}`, async () => {
    const { drained } = await setUp();
    const { seen, left } = await drained({
      KeyConditionExpression: "queue = :q",
      ExpressionAttributeValues: { ":q": S("q") },
      ScanIndexForward,
    });
    const inOrder = seen.toSorted(inNumbers);
    assert.deepEqual([seen.length, left], [30, 0]);
    assert.deepEqual(seen, ScanIndexForward ? inOrder : inOrder.toReversed());
  });

  for (const IndexName of ["by-state", "by-rank"]) {
    test(`the index ${IndexName} whose items are deleted page by page is seen whole, ${direction}`, async () => {
      const { drained } = await setUp();
      const { seen, left } = await drained({
        IndexName,
        KeyConditionExpression: "#s = :s",
        ExpressionAttributeNames: { "#s": "state" },
        ExpressionAttributeValues: { ":s": S("open") },
        ScanIndexForward,
      });
      assert.deepEqual([new Set(seen).size, seen.length, left], [30, 30, 0]);
    });
  }
}
