import assert from "node:assert/strict";
import { test } from "node:test";
import {
  GetResourcesCommand,
  InvalidParameterException,
  paginateGetResources,
  paginateGetTagKeys,
  ResourceGroupsTaggingAPIClient,
  TagResourcesCommand,
  UntagResourcesCommand,
} from "@aws-sdk/client-resource-groups-tagging-api";
import {
  BatchEntryIdsNotDistinct,
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  paginateListDeadLetterSourceQueues,
  paginateListQueues,
  QueueDoesNotExist,
  QueueNameExists,
  ReceiptHandleIsInvalid,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import {
  AssumeRoleCommand,
  AssumeRoleWithWebIdentityCommand,
  GetCallerIdentityCommand,
  InvalidIdentityTokenException,
  STSClient,
} from "@aws-sdk/client-sts";
import { pagesOf, sdkStage } from "./sdk-stage.ts";

const { config } = sdkStage();
const ROLE = { RoleArn: "arn:aws:iam::000000000000:role/deploy", RoleSessionName: "sdk" };

test("STS: who one is, roles, and refusals by name", async () => {
  const sts = new STSClient(config());
  const { Arn, Account } = await sts.send(new GetCallerIdentityCommand({}));
  assert.deepEqual([Arn, Account], ["arn:aws:iam::000000000000:root", "000000000000"]);
  const { Credentials, AssumedRoleUser } = await sts.send(new AssumeRoleCommand(ROLE));
  assert.ok(Credentials?.Expiration instanceof Date);
  assert.equal(AssumedRoleUser?.Arn, "arn:aws:sts::000000000000:assumed-role/deploy/sdk");
  const credentials = {
    accessKeyId: Credentials.AccessKeyId ?? "",
    secretAccessKey: Credentials.SecretAccessKey ?? "",
    sessionToken: Credentials.SessionToken ?? "",
  };
  const role = new STSClient({ ...config(), credentials });
  assert.equal((await role.send(new GetCallerIdentityCommand({}))).Arn, AssumedRoleUser.Arn);
  await assert.rejects(sts.send(new AssumeRoleCommand({ ...ROLE, DurationSeconds: 50_000 })), {
    name: "ValidationError",
  });
  await assert.rejects(
    sts.send(new AssumeRoleWithWebIdentityCommand({ ...ROLE, WebIdentityToken: "no.such.token" })),
    InvalidIdentityTokenException,
  );
  const stranger = new STSClient({ ...config(), credentials: { accessKeyId: "AKIANOBODY", secretAccessKey: "x" } });
  await assert.rejects(stranger.send(new GetCallerIdentityCommand({})), { name: "InvalidClientTokenId" });
});

test("SQS: digests that the client checks, batches, dead letters, order, pages and typed refusals", async () => {
  const sqs = new SQSClient(config());
  const queue = async (QueueName: string, Attributes: Record<string, string> = {}): Promise<string> =>
    (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? "";
  const attribute = async (QueueUrl: string, name: "QueueArn" | "VisibilityTimeout") =>
    (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }))).Attributes?.[name];
  const dead = await queue("dead");
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: await attribute(dead, "QueueArn"), maxReceiveCount: 1 });
  const QueueUrl = await queue("work", { RedrivePolicy });
  await sqs.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: "grüße <&> \u{1f600}",
      MessageAttributes: {
        kind: { DataType: "String", StringValue: "greeting" },
        bytes: { DataType: "Binary", BinaryValue: Uint8Array.of(0, 255, 7) },
        size: { DataType: "Number", StringValue: "17" },
      },
    }),
  );
  const receive = async (from: string, max = 10) =>
    (
      await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: from,
          MaxNumberOfMessages: max,
          MessageAttributeNames: ["All"],
          MessageSystemAttributeNames: ["All"],
        }),
      )
    ).Messages ?? [];
  const [message] = await receive(QueueUrl);
  assert.equal(message?.Body, "grüße <&> \u{1f600}");
  assert.deepEqual([...(message.MessageAttributes?.["bytes"]?.BinaryValue ?? [])], [0, 255, 7]);
  assert.equal(message.Attributes?.ApproximateReceiveCount, "1");
  const { ReceiptHandle } = message;
  await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  assert.deepEqual(await receive(QueueUrl), []);
  const [letter] = await receive(dead);
  assert.equal(letter?.MessageId, message.MessageId);
  await sqs.send(new DeleteMessageCommand({ QueueUrl: dead, ReceiptHandle: letter?.ReceiptHandle }));
  const sources = await pagesOf(paginateListDeadLetterSourceQueues({ client: sqs }, { QueueUrl: dead }));
  assert.deepEqual(sources[0]?.queueUrls, [QueueUrl]);

  const fifo = await queue("orders.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
  const batch = (...bodies: string[]) =>
    sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: fifo,
        Entries: bodies.map((MessageBody, i) => ({ Id: `${i}`, MessageBody, MessageGroupId: "g" })),
      }),
    );
  const { Successful, Failed } = await batch("one", "two", "one");
  assert.deepEqual([Successful?.length, Failed?.length ?? 0], [3, 0]);
  assert.deepEqual(
    (await receive(fifo)).map(({ Body }) => Body),
    ["one", "two"],
  );

  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: "7" } }));
  assert.equal(await attribute(QueueUrl, "VisibilityTimeout"), "7");
  const pages = await pagesOf(paginateListQueues({ client: sqs, pageSize: 1 }, { QueueNamePrefix: "" }));
  assert.deepEqual(
    pages.flatMap(({ QueueUrls }) => QueueUrls ?? []).map((url) => url.split("/").at(-1)),
    ["dead", "orders.fifo", "work"],
  );
  assert.equal(pages.length, 3);

  await assert.rejects(queue("dead", { VisibilityTimeout: "7" }), QueueNameExists);
  await assert.rejects(sqs.send(new GetQueueUrlCommand({ QueueName: "nowhere" })), QueueDoesNotExist);
  await assert.rejects(
    sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: "nonsense" })),
    ReceiptHandleIsInvalid,
  );
  const twice = { Id: "same", MessageBody: "x" };
  await assert.rejects(
    sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [twice, twice] })),
    BatchEntryIdsNotDistinct,
  );
  await sqs.send(new DeleteQueueCommand({ QueueUrl }));
});

test("tagging: what is tagged anywhere, in pages", async () => {
  const sqs = new SQSClient(config());
  const tagging = new ResourceGroupsTaggingAPIClient(config());
  const arns = ["a", "b", "c"].map((name) => `arn:aws:sqs:eu-west-1:000000000000:tagged-${name}`);
  for (const name of ["a", "b", "c"]) {
    await sqs.send(new CreateQueueCommand({ QueueName: `tagged-${name}`, tags: { team: "sdk" } }));
  }
  const TagFilters = [{ Key: "team", Values: ["sdk"] }];
  const pages = await pagesOf(paginateGetResources({ client: tagging, pageSize: 2 }, { TagFilters }));
  assert.deepEqual(
    pages.map(({ ResourceTagMappingList }) => ResourceTagMappingList?.map(({ ResourceARN }) => ResourceARN)),
    [arns.slice(0, 2), arns.slice(2)],
  );
  const { FailedResourcesMap } = await tagging.send(
    new TagResourcesCommand({
      ResourceARNList: [arns[0] ?? "", "arn:aws:sqs:eu-west-1:000000000000:none"],
      Tags: { a: "b" },
    }),
  );
  assert.deepEqual(Object.keys(FailedResourcesMap ?? {}), ["arn:aws:sqs:eu-west-1:000000000000:none"]);
  await tagging.send(new UntagResourcesCommand({ ResourceARNList: [arns[1] ?? ""], TagKeys: ["team"] }));
  const left = await tagging.send(new GetResourcesCommand({ TagFilters }));
  assert.deepEqual(
    left.ResourceTagMappingList?.map(({ ResourceARN }) => ResourceARN),
    [arns[0], arns[2]],
  );
  const keys = await pagesOf(paginateGetTagKeys({ client: tagging }, {}));
  assert.deepEqual(
    keys.flatMap(({ TagKeys }) => TagKeys ?? []),
    ["a", "team"],
  );
  await assert.rejects(tagging.send(new GetResourcesCommand({ ResourcesPerPage: 1000 })), InvalidParameterException);
});
