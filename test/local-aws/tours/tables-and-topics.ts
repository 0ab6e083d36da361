import { textAt } from "./look.ts";
import type { Tour } from "./messaging.ts";

export const dynamodbTour: Tour = async (aws) => {
  const key = "--attribute-definitions AttributeName=id,AttributeType=S --key-schema AttributeName=id,KeyType=HASH";
  const create = `dynamodb create-table --table-name tour --billing-mode PAY_PER_REQUEST ${key} --tags Key=team,Value=web`;
  const made = await aws(create);
  const arn = textAt(made, "TableDescription", "TableArn");
  const onTable = (command: string, ...more: (string | object)[]) =>
    aws(`dynamodb ${command} --table-name tour`, ...more);
  const item = { id: { S: "a" }, count: { N: "1" } };
  const raise = ["--key", { id: { S: "a" } }, "--update-expression", "SET #c = #c + :one"] as const;
  const names = ["--expression-attribute-names", { "#c": "count" }] as const;
  const values = ["--expression-attribute-values", { ":one": { N: "1" } }] as const;
  return {
    made,
    exists: await aws(create),
    ready: await onTable("describe-table", "--query", "Table.[TableStatus,BillingModeSummary.BillingMode]"),
    noKey: await aws(
      "dynamodb create-table --table-name other --billing-mode PAY_PER_REQUEST --key-schema AttributeName=id,KeyType=HASH --attribute-definitions AttributeName=no,AttributeType=S",
    ),
    put: await onTable("put-item", "--item", item),
    notNew: await onTable("put-item", "--item", item, "--condition-expression", "attribute_not_exists(id)"),
    raised: await onTable("update-item", ...raise, ...names, ...values, "--return-values", "UPDATED_NEW"),
    item: await onTable("get-item", "--consistent-read", "--key", { id: { S: "a" } }),
    wrongKey: await onTable("get-item", "--key", { name: { S: "a" } }),
    scanned: await onTable("scan", "--query", "Items"),
    expires: await onTable("update-time-to-live", "--time-to-live-specification", "Enabled=true,AttributeName=until"),
    tags: await aws("dynamodb list-tags-of-resource --resource-arn", arn),
    listed: await aws("dynamodb list-tables --query TableNames"),
    itemGone: await onTable("delete-item", "--key", { id: { S: "a" } }),
    empty: await onTable("scan", "--query", "Count"),
    deleted: await onTable("delete-table", "--query", "TableDescription.TableName"),
    none: await aws("dynamodb describe-table --table-name nothing"),
  };
};

export const snsTour: Tour = async (aws) => {
  const url = textAt(await aws("sqs create-queue --queue-name news"), "QueueUrl");
  const queueArn = textAt(
    await aws("sqs get-queue-attributes --attribute-names QueueArn --queue-url", url),
    "Attributes",
    "QueueArn",
  );
  const made = await aws("sns create-topic --name tour --tags Key=team,Value=web");
  const topicArn = textAt(made, "TopicArn");
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: "sns.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: queueArn,
        Condition: { ArnEquals: { "aws:SourceArn": topicArn } },
      },
    ],
  });
  await aws("sqs set-queue-attributes --queue-url", url, "--attributes", { Policy });
  const subscribed = await aws(
    `sns subscribe --protocol sqs --attributes RawMessageDelivery=true --return-subscription-arn --topic-arn ${topicArn} --notification-endpoint ${queueArn}`,
  );
  const subscription = textAt(subscribed, "SubscriptionArn");
  const onTopic = (command: string, ...more: (string | object)[]) =>
    aws(`sns ${command} --topic-arn ${topicArn}`, ...more);
  const publish = await onTopic("publish", "--message", "hello", "--query", "length(MessageId)");
  return {
    made,
    again: await aws("sns create-topic --name tour"),
    badName: await aws("sns create-topic --name no.dots"),
    named: await onTopic("set-topic-attributes", "--attribute-name", "DisplayName", "--attribute-value", "News"),
    attributes: await onTopic("get-topic-attributes", "--query", "Attributes.[DisplayName,SubscriptionsConfirmed]"),
    noAttribute: await onTopic("set-topic-attributes", "--attribute-name", "Nothing", "--attribute-value", "x"),
    subscribed,
    publish,
    received: await aws("sqs receive-message --query Messages[].Body --queue-url", url),
    subscriptions: await onTopic("list-subscriptions-by-topic"),
    filtered: await aws(
      `sns set-subscription-attributes --subscription-arn ${subscription} --attribute-name FilterPolicy --attribute-value`,
      { kind: ["order"] },
    ),
    passedBy: await onTopic("publish", "--message", "unseen", "--query", "length(MessageId)"),
    nothing: await aws("sqs receive-message --query Messages[].Body --queue-url", url),
    tags: await aws("sns list-tags-for-resource --resource-arn", topicArn),
    listed: await aws("sns list-topics"),
    unsubscribed: await aws("sns unsubscribe --subscription-arn", subscription),
    deleted: await onTopic("delete-topic"),
    none: await onTopic("get-topic-attributes"),
    publishedNowhere: await onTopic("publish", "--message", "lost"),
  };
};
