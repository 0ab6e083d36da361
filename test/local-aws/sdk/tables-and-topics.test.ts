import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTagsOfResourceCommand,
  paginateScan,
  PutItemCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateItemCommand,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from "@aws-sdk/client-resource-groups-tagging-api";
import {
  CreateTopicCommand,
  DeleteTopicCommand,
  GetSubscriptionAttributesCommand,
  GetTopicAttributesCommand,
  InvalidParameterException,
  NotFoundException,
  paginateListSubscriptionsByTopic,
  PublishCommand,
  SetSubscriptionAttributesCommand,
  SNSClient,
  SubscribeCommand,
} from "@aws-sdk/client-sns";
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { pagesOf, PATIENCE, sdkStage } from "./sdk-stage.ts";

const { config } = sdkStage();
const TableName = "orders";

test("DynamoDB: tables that are waited for, items of all types, pages and typed refusals", async () => {
  const dynamodb = new DynamoDBClient(config());
  const wanted = {
    TableName,
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" as const }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" as const }],
    BillingMode: "PAY_PER_REQUEST" as const,
    Tags: [{ Key: "team", Value: "shop" }],
  };
  const { TableDescription } = await dynamodb.send(new CreateTableCommand(wanted));
  assert.ok(TableDescription?.CreationDateTime instanceof Date);
  await assert.rejects(dynamodb.send(new CreateTableCommand(wanted)), ResourceInUseException);
  await waitUntilTableExists({ client: dynamodb, ...PATIENCE }, { TableName });
  const ResourceArn = TableDescription.TableArn ?? "";
  const { Tags } = await dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn }));
  assert.deepEqual(Tags, wanted.Tags);
  const tagging = new ResourceGroupsTaggingAPIClient(config());
  const { ResourceTagMappingList } = await tagging.send(
    new GetResourcesCommand({ ResourceTypeFilters: ["dynamodb:table"] }),
  );
  assert.deepEqual(
    ResourceTagMappingList?.map(({ ResourceARN }) => ResourceARN),
    [ResourceArn],
  );

  const Item = {
    id: { S: "1" },
    bytes: { B: Uint8Array.of(0, 255) },
    list: { L: [{ N: "1.5" }, { M: { deep: { BOOL: true } } }] },
  };
  await dynamodb.send(new PutItemCommand({ TableName, Item }));
  const once = new PutItemCommand({
    TableName,
    Item,
    ConditionExpression: "attribute_not_exists(id)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  await assert.rejects(dynamodb.send(once), (error) => {
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.deepEqual(error.Item?.["list"], Item.list);
    return true;
  });
  const { Attributes } = await dynamodb.send(
    new UpdateItemCommand({
      TableName,
      Key: { id: { S: "1" } },
      UpdateExpression: "SET #n = :one",
      ExpressionAttributeNames: { "#n": "n" },
      ExpressionAttributeValues: { ":one": { N: "1" } },
      ReturnValues: "ALL_NEW",
    }),
  );
  assert.deepEqual(Attributes?.["n"], { N: "1" });
  const got = await dynamodb.send(new GetItemCommand({ TableName, Key: { id: { S: "1" } } }));
  assert.deepEqual([...(got.Item?.["bytes"]?.B ?? [])], [0, 255]);
  for (let i = 2; i < 6; i++) await dynamodb.send(new PutItemCommand({ TableName, Item: { id: { S: `${i}` } } }));
  const pages = await pagesOf(paginateScan({ client: dynamodb, pageSize: 2 }, { TableName }));
  assert.equal(pages.flatMap(({ Items = [] }) => Items).length, 5);

  await dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  await waitUntilTableExists({ client: dynamodb, ...PATIENCE }, { TableName });
  await assert.rejects(dynamodb.send(new DeleteTableCommand({ TableName })), { name: "ValidationException" });
  await dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await waitUntilTableExists({ client: dynamodb, ...PATIENCE }, { TableName });
  await dynamodb.send(new DeleteTableCommand({ TableName }));
  await waitUntilTableNotExists({ client: dynamodb, ...PATIENCE }, { TableName });
  await assert.rejects(dynamodb.send(new DescribeTableCommand({ TableName })), ResourceNotFoundException);
});

test("SNS: topics whose messages reach a queue, filters, pages and typed refusals", async () => {
  const sns = new SNSClient(config());
  const sqs = new SQSClient(config());
  const Endpoint = "arn:aws:sqs:eu-west-1:000000000000:news";
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Principal: { Service: "sns.amazonaws.com" }, Action: "sqs:SendMessage", Resource: Endpoint },
    ],
  });
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "news", Attributes: { Policy } }));
  const create = (DisplayName?: string) =>
    sns.send(
      new CreateTopicCommand({ Name: "news", ...(DisplayName !== undefined && { Attributes: { DisplayName } }) }),
    );
  const { TopicArn } = await create("News");
  assert.equal((await create()).TopicArn, TopicArn);
  await assert.rejects(create("Other"), InvalidParameterException);
  const { Attributes } = await sns.send(new GetTopicAttributesCommand({ TopicArn }));
  assert.equal(Attributes?.["DisplayName"], "News");
  const { SubscriptionArn } = await sns.send(
    new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint, Attributes: { FilterPolicy: '{"kind":["new"]}' } }),
  );
  const publish = (Message: string, kind: string) =>
    sns.send(
      new PublishCommand({ TopicArn, Message, MessageAttributes: { kind: { DataType: "String", StringValue: kind } } }),
    );
  await publish("one", "old");
  const { MessageId } = await publish("two", "new");
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  assert.equal(Messages.length, 1);
  const envelope = JSON.parse(Messages[0]?.Body ?? "") as Record<string, unknown>;
  assert.deepEqual([envelope["Message"], envelope["MessageId"], envelope["TopicArn"]], ["two", MessageId, TopicArn]);
  await sns.send(
    new SetSubscriptionAttributesCommand({
      SubscriptionArn,
      AttributeName: "RawMessageDelivery",
      AttributeValue: "true",
    }),
  );
  const subscription = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
  assert.equal(subscription.Attributes?.["RawMessageDelivery"], "true");
  for (let i = 0; i < 101; i++) {
    await sns.send(new SubscribeCommand({ TopicArn, Protocol: "email", Endpoint: `${i}@a.example` }));
  }
  const pages = await pagesOf(paginateListSubscriptionsByTopic({ client: sns }, { TopicArn }));
  assert.equal(pages.flatMap(({ Subscriptions = [] }) => Subscriptions).length, 102);
  await sns.send(new DeleteTopicCommand({ TopicArn }));
  await sns.send(new DeleteTopicCommand({ TopicArn }));
  await assert.rejects(sns.send(new GetTopicAttributesCommand({ TopicArn })), NotFoundException);
});
