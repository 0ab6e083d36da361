import assert from "node:assert/strict";
import { test } from "node:test";
import { sqsBench } from "./sqs-bench.ts";

const NO_QUEUE = { code: "AWS.SimpleQueueService.NonExistentQueue" };

test("a queue has a URL, an ARN and AWS's defaults", async () => {
  const { create, call } = sqsBench();
  const QueueUrl = await create("orders");
  assert.equal(QueueUrl, "http://127.0.0.1:4566/000000000000/orders");
  const { Attributes } = await call("GetQueueAttributes", { QueueUrl, AttributeNames: ["All"] });
  assert.deepEqual(Attributes, {
    QueueArn: "arn:aws:sqs:eu-west-1:000000000000:orders",
    ApproximateNumberOfMessages: "0",
    ApproximateNumberOfMessagesNotVisible: "0",
    ApproximateNumberOfMessagesDelayed: "0",
    CreatedTimestamp: "1893456000",
    LastModifiedTimestamp: "1893456000",
    VisibilityTimeout: "30",
    MaximumMessageSize: "1048576",
    MessageRetentionPeriod: "345600",
    DelaySeconds: "0",
    ReceiveMessageWaitTimeSeconds: "0",
    SqsManagedSseEnabled: "true",
  });
  assert.deepEqual(await call("GetQueueAttributes", { QueueUrl }), {});
});

test("making a queue again succeeds when what is asked for is what it has", async () => {
  const { create } = sqsBench();
  const url = await create("orders", { VisibilityTimeout: "60" });
  assert.equal(await create("orders"), url);
  assert.equal(await create("orders", { VisibilityTimeout: "60", DelaySeconds: "0" }), url);
  await assert.rejects(create("orders", { VisibilityTimeout: "61" }), { code: "QueueAlreadyExists" });
  await assert.rejects(create("orders", { KmsMasterKeyId: "alias/x" }), { code: "QueueAlreadyExists" });
});

test("names and attributes are checked with AWS's codes", async () => {
  const { create, call } = sqsBench();
  for (const name of ["a b", "a.b", "", "x".repeat(81), "orders.fifo"]) {
    await assert.rejects(create(name), { code: "InvalidParameterValue" }, name);
  }
  await assert.rejects(create("orders", { FifoQueue: "true" }), { code: "InvalidParameterValue" });
  for (const [name, value] of [
    ["VisibilityTimeout", "43201"],
    ["VisibilityTimeout", "-1"],
    ["MaximumMessageSize", "1023"],
    ["DelaySeconds", "x"],
    ["Policy", "nothing"],
    ["SqsManagedSseEnabled", "maybe"],
  ] as const) {
    await assert.rejects(create("orders", { [name]: value }), { code: "InvalidAttributeValue" }, name);
  }
  for (const name of ["Nonsense", "QueueArn", "ContentBasedDeduplication", "__proto__"]) {
    await assert.rejects(
      create("orders", Object.fromEntries([[name, "true"]])),
      { code: "InvalidAttributeName" },
      name,
    );
  }
  const QueueUrl = await create("orders.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
  const change = call("SetQueueAttributes", { QueueUrl, Attributes: { FifoQueue: "false" } });
  await assert.rejects(change, { code: "InvalidParameterValue" });
});

test("throughput is counted by message group only where duplicates are, whichever is set later", async () => {
  const { call, create } = sqsBench();
  const refused = { code: "InvalidAttributeValue" };
  const [byGroup, inGroup] = [{ FifoThroughputLimit: "perMessageGroupId" }, { DeduplicationScope: "messageGroup" }];
  await assert.rejects(create("orders.fifo", { FifoQueue: "true", ...byGroup }), refused);
  const QueueUrl = await create("orders.fifo", { FifoQueue: "true" });
  const set = (Attributes: Record<string, string>) => call("SetQueueAttributes", { QueueUrl, Attributes });
  await assert.rejects(set(byGroup), refused);
  await set(inGroup);
  await set(byGroup);
  await assert.rejects(set({ DeduplicationScope: "queue" }), refused);
  await set({ DeduplicationScope: "queue", FifoThroughputLimit: "perQueue" });
});

test("empty values clear attributes", async () => {
  const { create, call, attribute } = sqsBench();
  await create("dead");
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: "arn:aws:sqs:eu-west-1:000000000000:dead",
    maxReceiveCount: "3",
  });
  const url = await create("orders", { RedrivePolicy, KmsMasterKeyId: "alias/x", Policy: '{"Version":"2012-10-17"}' });
  assert.equal(await attribute(url, "RedrivePolicy"), RedrivePolicy.replace('"3"', "3"));
  assert.equal(await attribute(url, "SqsManagedSseEnabled"), "false");
  assert.equal(await attribute(url, "KmsDataKeyReusePeriodSeconds"), "300");
  await call("SetQueueAttributes", {
    QueueUrl: url,
    Attributes: { RedrivePolicy: "", KmsMasterKeyId: "", Policy: "" },
  });
  for (const name of ["RedrivePolicy", "KmsMasterKeyId", "Policy", "KmsDataKeyReusePeriodSeconds"]) {
    assert.equal(await attribute(url, name), undefined, name);
  }
});

test("a dead-letter queue must be there, be of the same kind, and want it", async () => {
  const { create, call } = sqsBench();
  const policy = (name: string, most: unknown = 1) =>
    JSON.stringify({ deadLetterTargetArn: `arn:aws:sqs:eu-west-1:000000000000:${name}`, maxReceiveCount: most });
  const refused = { code: "InvalidParameterValue" };
  await assert.rejects(create("orders", { RedrivePolicy: policy("dead") }), refused);
  await create("dead.fifo", { FifoQueue: "true" });
  await assert.rejects(create("orders", { RedrivePolicy: policy("dead.fifo") }), refused);
  await create("closed", { RedriveAllowPolicy: '{"redrivePermission":"denyAll"}' });
  await assert.rejects(create("orders", { RedrivePolicy: policy("closed") }), refused);
  const QueueUrl = await create("dead");
  await assert.rejects(create("orders", { RedrivePolicy: policy("dead", 1_001) }), refused);
  const orders = await create("orders", { RedrivePolicy: policy("dead") });
  assert.deepEqual((await call("ListDeadLetterSourceQueues", { QueueUrl })).queueUrls, [orders]);
});

test("the name of a deleted queue rests for a minute", async () => {
  const { clock, create, call, send } = sqsBench();
  const QueueUrl = await create("orders");
  await send(QueueUrl, "one");
  await call("DeleteQueue", { QueueUrl });
  await assert.rejects(send(QueueUrl, "two"), NO_QUEUE);
  await assert.rejects(call("GetQueueUrl", { QueueName: "orders" }), NO_QUEUE);
  await assert.rejects(create("orders"), { code: "AWS.SimpleQueueService.QueueDeletedRecently" });
  clock.advance(60_000);
  await create("orders");
  assert.deepEqual(await call("ReceiveMessage", { QueueUrl }), {});
});

test("where reads lag, deletions and changes come through late", async () => {
  const { clock, create, call, attribute } = sqsBench({ lag: true });
  const QueueUrl = await create("orders");
  await call("SetQueueAttributes", { QueueUrl, Attributes: { DelaySeconds: "5" } });
  assert.equal(await attribute(QueueUrl, "DelaySeconds"), "0");
  clock.advance(5_000);
  assert.equal(await attribute(QueueUrl, "DelaySeconds"), "5");
  await call("DeleteQueue", { QueueUrl });
  assert.deepEqual((await call("ListQueues", {})).QueueUrls, [QueueUrl]);
  clock.advance(5_000);
  assert.deepEqual((await call("ListQueues", {})).QueueUrls, undefined);
});

test("lists have prefixes and pages", async () => {
  const { create, call } = sqsBench();
  for (const name of ["a-1", "a-2", "a-3", "b-1"]) await create(name);
  const first = await call("ListQueues", { QueueNamePrefix: "a-", MaxResults: 2 });
  const second = await call("ListQueues", { QueueNamePrefix: "a-", MaxResults: 2, NextToken: first.NextToken });
  const names = [...(first.QueueUrls ?? []), ...(second.QueueUrls ?? [])].map((url) => url.split("/").at(-1));
  assert.deepEqual(names, ["a-1", "a-2", "a-3"]);
  assert.equal(second.NextToken, undefined);
});

test("queues of others are out of reach", async () => {
  const { create, call } = sqsBench();
  const QueueUrl = await create("orders");
  const account = "111111111111";
  await assert.rejects(call("SendMessage", { QueueUrl, MessageBody: "x" }, { account }), { code: "AccessDenied" });
  await assert.rejects(call("GetQueueUrl", { QueueName: "orders" }, { account }), NO_QUEUE);
  await assert.rejects(call("DeleteQueue", { QueueUrl: "http://here/orders" }), { code: "InvalidAddress" });
});

test("a queue is purged once a minute", async () => {
  const { clock, create, call, send, bodies } = sqsBench();
  const QueueUrl = await create("orders");
  await send(QueueUrl, "one", "two");
  await call("PurgeQueue", { QueueUrl });
  assert.deepEqual(await bodies(QueueUrl), []);
  await assert.rejects(call("PurgeQueue", { QueueUrl }), { code: "AWS.SimpleQueueService.PurgeQueueInProgress" });
  clock.advance(60_000);
  await call("PurgeQueue", { QueueUrl });
});

test("tags come and go one by one", async () => {
  const { sqs, create, call } = sqsBench();
  const QueueUrl = await create("orders");
  await call("TagQueue", { QueueUrl, Tags: { team: "shop", env: "" } });
  await call("UntagQueue", { QueueUrl, TagKeys: ["env", "other"] });
  assert.deepEqual((await call("ListQueueTags", { QueueUrl })).Tags, { team: "shop" });
  await assert.rejects(call("TagQueue", { QueueUrl, Tags: { "aws:x": "" } }), { code: "InvalidParameterValue" });
  const arn = "arn:aws:sqs:eu-west-1:000000000000:orders";
  assert.equal(await sqs.tagged.tag(arn, new Map([["a", "b"]])), true);
  assert.equal(await sqs.tagged.untag(`${arn}-2`, ["a"]), false);
  assert.deepEqual(
    [...sqs.tagged.list("000000000000", "eu-west-1")],
    [
      {
        arn,
        tags: new Map([
          ["team", "shop"],
          ["a", "b"],
        ]),
      },
    ],
  );
});
