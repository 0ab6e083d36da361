import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  IdempotentParameterMismatchException,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { PATIENCE, sdkStage } from "./sdk-stage.ts";

const { config } = sdkStage();
const TableName = "stock";
const bytes = { B: Uint8Array.of(0, 255) };

test("DynamoDB: many items in one call, in batches and in transactions, with typed refusals", async () => {
  const dynamodb = new DynamoDBClient(config());
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  await waitUntilTableExists({ client: dynamodb, ...PATIENCE }, { TableName });
  const putting = (count: number) =>
    new BatchWriteItemCommand({
      RequestItems: {
        [TableName]: Array.from({ length: count }, (_, i) => ({
          PutRequest: { Item: { id: { S: `${i}` }, n: { N: "1" }, bytes } },
        })),
      },
    });
  const { UnprocessedItems } = await dynamodb.send(putting(25));
  assert.deepEqual(UnprocessedItems, {});
  await assert.rejects(dynamodb.send(putting(26)), {
    name: "ValidationException",
    message: /Member must have length less than or equal to 25/,
  });
  const { Responses, UnprocessedKeys } = await dynamodb.send(
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [{ id: { S: "3" } }, { id: { S: "none" } }] } } }),
  );
  assert.deepEqual([Responses?.[TableName]?.map(({ id }) => id?.S), UnprocessedKeys], [["3"], {}]);

  const taking = (id: string, n: string) => ({
    Update: {
      TableName,
      Key: { id: { S: id } },
      UpdateExpression: "SET n = n - :n",
      ConditionExpression: "n >= :n",
      ExpressionAttributeValues: { ":n": { N: n } },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    },
  });
  const once = (n: string) =>
    new TransactWriteItemsCommand({
      TransactItems: [taking("1", n), { Delete: { TableName, Key: { id: { S: "2" } } } }],
      ClientRequestToken: "once",
    });
  await dynamodb.send(once("1"));
  await dynamodb.send(once("1"));
  await assert.rejects(dynamodb.send(once("0")), IdempotentParameterMismatchException);
  const tooMuch = new TransactWriteItemsCommand({ TransactItems: [taking("3", "1"), taking("4", "2")] });
  await assert.rejects(dynamodb.send(tooMuch), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    assert.equal(
      error.message,
      "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
    );
    assert.deepEqual(
      error.CancellationReasons?.map(({ Code }) => Code),
      ["None", "ConditionalCheckFailed"],
    );
    const item = error.CancellationReasons?.[1]?.Item;
    assert.deepEqual([item?.["n"]?.N, [...(item?.["bytes"]?.B ?? [])]], ["1", [0, 255]]);
    return true;
  });
  const got = await dynamodb.send(
    new TransactGetItemsCommand({
      TransactItems: ["1", "2", "3"].map((id) => ({ Get: { TableName, Key: { id: { S: id } } } })),
    }),
  );
  assert.deepEqual(
    got.Responses?.map(({ Item }) => Item?.["n"]?.N),
    ["0", undefined, "1"],
  );
});
