import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/sns";
import type { Operations as SqsOperations } from "@gatewright/aws-wire/types/sqs";
import { createSqs } from "../sqs/create-sqs.ts";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createSns } from "./create-sns.ts";

const PLACE = "eu-west-1:000000000000";
const ORDERS = `arn:aws:sns:${PLACE}:orders`;

function setUp() {
  const world = testWorld({ lag: false });
  const sqs = createSqs(world);
  const sns = createSns(world, { queues: sqs.inlets });
  const call = serviceCaller<Operations>(sns.service, { region: "eu-west-1" });
  const queues = serviceCaller<SqsOperations>(sqs.service, { region: "eu-west-1" });
  const create = async (Name: string, Attributes = {}): Promise<string> =>
    (await call("CreateTopic", { Name, Attributes })).TopicArn ?? "";
  /** A queue that lets a topic in; gives its ARN. */
  const queue = async (name: string, topic = "*", attributes: Record<string, string> = {}): Promise<string> => {
    const arn = `arn:aws:sqs:${PLACE}:${name}`;
    const statement = {
      Effect: "Allow",
      Principal: { Service: "sns.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: arn,
      Condition: { ArnLike: { "aws:SourceArn": topic } },
    };
    await queues("CreateQueue", {
      QueueName: name,
      Attributes: { Policy: JSON.stringify({ Version: "2012-10-17", Statement: [statement] }), ...attributes },
    });
    return arn;
  };
  const received = async (name: string) =>
    (
      await queues("ReceiveMessage", {
        QueueUrl: `http://127.0.0.1:4566/000000000000/${name}`,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ["All"],
      })
    ).Messages ?? [];
  const bodies = async (name: string) => (await received(name)).map(({ Body }) => Body);
  const subscribe = async (TopicArn: string, Endpoint: string, Attributes: Record<string, string> = {}) =>
    (await call("Subscribe", { TopicArn, Protocol: "sqs", Endpoint, Attributes })).SubscriptionArn ?? "";
  return { world, sns, call, queues, create, queue, received, bodies, subscribe };
}

test("making a topic again gives the same one if it has what is asked for", async () => {
  const { call, create } = setUp();
  assert.equal(await create("orders", { DisplayName: "Orders" }), ORDERS);
  assert.equal(await create("orders"), ORDERS);
  assert.equal(await create("orders", { DisplayName: "Orders", KmsMasterKeyId: "" }), ORDERS);
  await assert.rejects(create("orders", { DisplayName: "Other" }), refusal("InvalidParameter", 400));
  const Tags = [{ Key: "team", Value: "shop" }];
  await assert.rejects(call("CreateTopic", { Name: "orders", Tags }), refusal("InvalidParameter"));
  await call("TagResource", { ResourceArn: ORDERS, Tags });
  await call("CreateTopic", { Name: "orders", Tags });
  await create("orders");
});

test("a topic tells its attributes with their defaults", async () => {
  const { call, create } = setUp();
  const { Attributes = {} } = await call("GetTopicAttributes", { TopicArn: await create("orders") });
  const { Policy = "", EffectiveDeliveryPolicy = "", ...rest } = Attributes;
  assert.deepEqual(rest, {
    TopicArn: ORDERS,
    Owner: "000000000000",
    DisplayName: "",
    SubscriptionsPending: "0",
    SubscriptionsConfirmed: "0",
    SubscriptionsDeleted: "0",
  });
  assert.equal((JSON.parse(Policy) as { Id: string }).Id, "__default_policy_ID");
  assert.match(EffectiveDeliveryPolicy, /"numRetries":3/);
});

test("attributes are set one by one, checked, and cleared with nothing", async () => {
  const { call, create } = setUp();
  const TopicArn = await create("orders");
  const set = (AttributeName: string, AttributeValue: string) =>
    call("SetTopicAttributes", { TopicArn, AttributeName, AttributeValue });
  const get = async (name: string) => (await call("GetTopicAttributes", { TopicArn })).Attributes?.[name];
  await set("KmsMasterKeyId", "alias/aws/sns");
  assert.equal(await get("KmsMasterKeyId"), "alias/aws/sns");
  await set("KmsMasterKeyId", "");
  assert.equal(await get("KmsMasterKeyId"), undefined);
  await set("DeliveryPolicy", '{"http":{"defaultHealthyRetryPolicy":{"numRetries":7}}}');
  assert.match((await get("EffectiveDeliveryPolicy")) ?? "", /"numRetries":7/);
  for (const [name, value] of [
    ["Policy", ""],
    ["Policy", "nothing"],
    ["DeliveryPolicy", '{"http":{"defaultHealthyRetryPolicy":{"numRetries":101}}}'],
    ["SignatureVersion", "3"],
    ["FifoTopic", "true"],
    ["ContentBasedDeduplication", "true"],
    ["TopicArn", "x"],
    ["__proto__", "x"],
  ] as const) {
    await assert.rejects(set(name, value), refusal("InvalidParameter"), `${name} ${value}`);
  }
});

test("names are checked, and FIFO topics are known by theirs", async () => {
  const { call, create } = setUp();
  for (const name of ["a b", "a.b", "", "x".repeat(257), "orders.fifo"]) {
    await assert.rejects(create(name), refusal("InvalidParameter"), name);
  }
  await assert.rejects(create("orders", { FifoTopic: "true" }), refusal("InvalidParameter"));
  const TopicArn = await create("orders.fifo", { FifoTopic: "true" });
  const { Attributes } = await call("GetTopicAttributes", { TopicArn });
  assert.deepEqual([Attributes?.["FifoTopic"], Attributes?.["ContentBasedDeduplication"]], ["true", "false"]);
});

test("deleting a topic takes its subscriptions along, and again it is no error", async () => {
  const { call, create, queue, subscribe } = setUp();
  const TopicArn = await create("orders");
  await subscribe(TopicArn, await queue("work"));
  await call("DeleteTopic", { TopicArn });
  await call("DeleteTopic", { TopicArn });
  await assert.rejects(call("GetTopicAttributes", { TopicArn }), refusal("NotFound", 404));
  assert.deepEqual((await call("ListSubscriptions", {})).Subscriptions, []);
  const elsewhere = TopicArn.replace("000000000000", "111111111111");
  await assert.rejects(call("GetTopicAttributes", { TopicArn: elsewhere }), refusal("AuthorizationError", 403));
});

test("subscribing again gives the same subscription, and refuses other attributes", async () => {
  const { call, create, queue, subscribe } = setUp();
  const TopicArn = await create("orders");
  const work = await queue("work");
  const arn = await subscribe(TopicArn, work, { RawMessageDelivery: "true" });
  assert.equal(await subscribe(TopicArn, work, { RawMessageDelivery: "true" }), arn);
  await assert.rejects(subscribe(TopicArn, work), refusal("InvalidParameter"));
  await call("Unsubscribe", { SubscriptionArn: arn });
  await assert.rejects(call("Unsubscribe", { SubscriptionArn: arn }), refusal("NotFound", 404));
  assert.equal((await call("GetTopicAttributes", { TopicArn })).Attributes?.["SubscriptionsDeleted"], "1");
});

test("mail waits for somebody to confirm it, for two days", async () => {
  const { world, call, create } = setUp();
  const TopicArn = await create("orders");
  const mail = { TopicArn, Protocol: "email", Endpoint: "a@b.example" };
  assert.equal((await call("Subscribe", mail)).SubscriptionArn, "pending confirmation");
  const { SubscriptionArn = "" } = await call("Subscribe", { ...mail, ReturnSubscriptionArn: true });
  const listed = async () =>
    (await call("ListSubscriptionsByTopic", { TopicArn })).Subscriptions?.map((each) => each.SubscriptionArn);
  assert.deepEqual(await listed(), ["PendingConfirmation"]);
  await assert.rejects(call("ConfirmSubscription", { TopicArn, Token: "x" }), refusal("InvalidParameter"));
  await call("ConfirmSubscription", { TopicArn, Token: hash("sha256", SubscriptionArn, "hex") });
  assert.deepEqual(await listed(), [SubscriptionArn]);
  await call("Subscribe", { ...mail, Endpoint: "c@d.example" });
  world.clock.advance(48 * 3_600_000);
  assert.deepEqual(await listed(), [SubscriptionArn]);
});

test("mail that somebody ended is listed as deleted for three days, and can be asked for again", async () => {
  const { world, call, create } = setUp();
  const TopicArn = await create("orders");
  const mail = { TopicArn, Protocol: "email", Endpoint: "a@b.example" };
  const { SubscriptionArn = "" } = await call("Subscribe", { ...mail, ReturnSubscriptionArn: true });
  await call("ConfirmSubscription", { TopicArn, Token: hash("sha256", SubscriptionArn, "hex") });
  await call("Unsubscribe", { SubscriptionArn });
  await assert.rejects(call("GetSubscriptionAttributes", { SubscriptionArn }), refusal("NotFound", 404));
  const listed = async () =>
    (await call("ListSubscriptionsByTopic", { TopicArn })).Subscriptions?.map((each) => each.SubscriptionArn);
  assert.deepEqual(await listed(), ["Deleted"]);
  assert.deepEqual((await call("GetTopicAttributes", { TopicArn })).Attributes?.["SubscriptionsConfirmed"], "0");
  await call("Subscribe", mail);
  assert.deepEqual((await listed())?.toSorted(), ["Deleted", "PendingConfirmation"]);
  world.clock.advance(72 * 3_600_000);
  assert.deepEqual(await listed(), []);
});

test("a password in an endpoint is never told", async () => {
  const { call, create } = setUp();
  const TopicArn = await create("orders");
  const web = { TopicArn, Protocol: "https", Endpoint: "https://user:pw@a.example/x", ReturnSubscriptionArn: true };
  const { SubscriptionArn = "" } = await call("Subscribe", web);
  const [listed] = (await call("ListSubscriptionsByTopic", { TopicArn })).Subscriptions ?? [];
  const { Attributes } = await call("GetSubscriptionAttributes", { SubscriptionArn });
  assert.deepEqual([listed?.Endpoint, Attributes?.["Endpoint"]], Array(2).fill("https://user:****@a.example/x"));
});

test("endpoints must be such as their protocol has", async () => {
  const { call, create } = setUp();
  const TopicArn = await create("orders");
  for (const [Protocol, Endpoint] of [
    ["sqs", "work"],
    ["sqs", `arn:aws:sqs:${PLACE}:work.fifo`],
    ["http", "https://a.example"],
    ["lambda", "arn:aws:lambda:x"],
    ["email", "nobody"],
    ["pigeon", "roof"],
  ] as const) {
    await assert.rejects(call("Subscribe", { TopicArn, Protocol, Endpoint }), refusal("InvalidParameter"), Protocol);
  }
});

test("what is published reaches queues that let the topic in, in an envelope or raw", async () => {
  const { call, create, queue, subscribe, received, queues } = setUp();
  const TopicArn = await create("orders");
  await subscribe(TopicArn, await queue("wrapped", TopicArn));
  await subscribe(TopicArn, await queue("raw"), { RawMessageDelivery: "true" });
  await subscribe(TopicArn, await queue("closed", `${TopicArn}-2`));
  await queues("CreateQueue", { QueueName: "silent" });
  await subscribe(TopicArn, `arn:aws:sqs:${PLACE}:silent`);
  const MessageAttributes = { kind: { DataType: "String", StringValue: "new" } };
  const { MessageId } = await call("Publish", { TopicArn, Message: "hello", Subject: "Hi", MessageAttributes });
  const [wrapped] = await received("wrapped");
  const { Signature, SigningCertURL, UnsubscribeURL, Timestamp, ...rest } = JSON.parse(wrapped?.Body ?? "") as Record<
    string,
    unknown
  >;
  assert.ok(Signature && SigningCertURL && UnsubscribeURL);
  assert.equal(Timestamp, "2030-01-01T00:00:00.000Z");
  assert.deepEqual(rest, {
    Type: "Notification",
    MessageId,
    TopicArn,
    Subject: "Hi",
    Message: "hello",
    SignatureVersion: "1",
    MessageAttributes: { kind: { Type: "String", Value: "new" } },
  });
  const [raw] = await received("raw");
  assert.equal(raw?.Body, "hello");
  assert.equal(raw.MessageAttributes?.["kind"]?.StringValue, "new");
  assert.deepEqual([await received("closed"), await received("silent")], [[], []]);
});

test("filters let through what they name, of attributes or of the body", async () => {
  const { call, create, queue, subscribe, bodies } = setUp();
  const TopicArn = await create("orders");
  const filter = (policy: object, scope = "MessageAttributes") => ({
    RawMessageDelivery: "true",
    FilterPolicy: JSON.stringify(policy),
    FilterPolicyScope: scope,
  });
  await subscribe(
    TopicArn,
    await queue("a"),
    filter({ kind: ["new", { prefix: "re" }], size: [{ numeric: [">", 1, "<=", 5] }] }),
  );
  await subscribe(
    TopicArn,
    await queue("b"),
    filter({ kind: [{ "anything-but": ["new"] }], size: [{ exists: false }] }),
  );
  await subscribe(TopicArn, await queue("c"), filter({ order: { country: ["DE"] } }, "MessageBody"));
  const publish = (Message: string, kind: string, size?: number) =>
    call("Publish", {
      TopicArn,
      Message,
      MessageAttributes: {
        kind: { DataType: "String", StringValue: kind },
        ...(size !== undefined && { size: { DataType: "Number", StringValue: String(size) } }),
      },
    });
  await publish("one", "new", 5);
  await publish("two", "return", 6);
  await publish("three", "old");
  await publish('{"order":[{"country":"FR"},{"country":"DE"}]}', "new");
  assert.deepEqual(await bodies("a"), ["one"]);
  assert.deepEqual(await bodies("b"), ["three"]);
  assert.deepEqual(await bodies("c"), ['{"order":[{"country":"FR"},{"country":"DE"}]}']);
});

test("filters can be changed and taken away; nonsense is refused", async () => {
  const { call, create, queue, subscribe } = setUp();
  const SubscriptionArn = await subscribe(await create("orders"), await queue("a"));
  const set = (AttributeName: string, AttributeValue: string) =>
    call("SetSubscriptionAttributes", { SubscriptionArn, AttributeName, AttributeValue });
  const get = async () => (await call("GetSubscriptionAttributes", { SubscriptionArn })).Attributes ?? {};
  await set("FilterPolicy", '{"kind":["new"]}');
  assert.equal((await get())["FilterPolicyScope"], "MessageAttributes");
  for (const policy of [
    '{"kind":"new"}',
    "[]",
    '{"kind":[]}',
    '{"kind":[{"odd":1}]}',
    '{"kind":{"deep":["x"]}}',
    '{"a":[{"numeric":["<"]}]}',
  ]) {
    await assert.rejects(set("FilterPolicy", policy), refusal("InvalidParameter"), policy);
  }
  await set("FilterPolicy", "{}");
  const { FilterPolicy, FilterPolicyScope, RawMessageDelivery } = await get();
  assert.deepEqual([FilterPolicy, FilterPolicyScope, RawMessageDelivery], [undefined, undefined, "false"]);
  await assert.rejects(set("RedrivePolicy", '{"deadLetterTargetArn":"x"}'), refusal("InvalidParameter"));
  await assert.rejects(set("Protocol", "sms"), refusal("InvalidParameter"));
});

test("what cannot be delivered goes to the dead-letter queue of its subscription", async () => {
  const { call, create, queue, subscribe, bodies } = setUp();
  const TopicArn = await create("orders");
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: await queue("dead") });
  await subscribe(TopicArn, `arn:aws:sqs:${PLACE}:gone`, { RedrivePolicy, RawMessageDelivery: "true" });
  await call("Publish", { TopicArn, Message: "hello" });
  assert.deepEqual(await bodies("dead"), ["hello"]);
});

test("FIFO topics keep order, and take a message once in five minutes", async () => {
  const { world, call, create, queue, subscribe, bodies } = setUp();
  const TopicArn = await create("orders.fifo", { FifoTopic: "true", ContentBasedDeduplication: "true" });
  await subscribe(TopicArn, await queue("work.fifo", "*", { FifoQueue: "true" }), { RawMessageDelivery: "true" });
  const publish = (Message: string) => call("Publish", { TopicArn, Message, MessageGroupId: "g" });
  const first = await publish("one");
  const second = await publish("two");
  assert.deepEqual(await publish("one"), first);
  assert.ok((second.SequenceNumber ?? "") > (first.SequenceNumber ?? "x"));
  assert.deepEqual(await bodies("work.fifo"), ["one", "two"]);
  await assert.rejects(call("Publish", { TopicArn, Message: "x" }), refusal("InvalidParameter"));
  world.clock.advance(5 * 60_000);
  assert.notEqual((await publish("one")).MessageId, first.MessageId);
});

test("messages are checked before they are published", async () => {
  const { call, create } = setUp();
  const TopicArn = await create("orders");
  for (const input of [
    { Message: "" },
    { Message: "x".repeat(262_145) },
    { Message: "x", Subject: "a\nb" },
    { Message: "x", MessageStructure: "json" },
    { Message: '{"sqs":"x"}', MessageStructure: "json" },
    { Message: "x", MessageDeduplicationId: "1" },
    { Message: "x", MessageAttributes: { a: { DataType: "Odd", StringValue: "x" } } },
  ]) {
    await assert.rejects(
      call("Publish", { TopicArn, ...input }),
      refusal("InvalidParameter"),
      JSON.stringify(input).slice(0, 60),
    );
  }
  await call("Publish", { TopicArn, Message: '{"default":"x"}', MessageStructure: "json" });
  await assert.rejects(call("Publish", { PhoneNumber: "+15550100", Message: "x" }), refusal("InvalidParameter"));
});

test("subjects are text in any language, of one line and up to a hundred characters", async () => {
  const { call, create, queue, subscribe, bodies } = setUp();
  const TopicArn = await create("orders");
  await subscribe(TopicArn, await queue("q"));
  for (const Subject of ["Grüße 👋", "語".repeat(100)]) {
    await call("Publish", { TopicArn, Message: "x", Subject });
    const [body = "{}"] = await bodies("q");
    assert.equal((JSON.parse(body) as { readonly Subject?: string }).Subject, Subject);
  }
  for (const Subject of ["", "語".repeat(101), "a\r\nb", "a\tb", "a\u0085b", "a\u2028b"]) {
    await assert.rejects(call("Publish", { TopicArn, Message: "x", Subject }), refusal("InvalidParameter"), Subject);
  }
});

test("a batch is published in its order, and one that is refused leaves the others alone", async () => {
  const { call, create, queue, subscribe, bodies } = setUp();
  const TopicArn = await create("orders.fifo", { FifoTopic: "true", ContentBasedDeduplication: "true" });
  await subscribe(TopicArn, await queue("q.fifo", "*", { FifoQueue: "true" }), { RawMessageDelivery: "true" });
  const entry = (Id: string, Message: string) => ({ Id, Message, MessageGroupId: "a" });
  const { Successful = [], Failed = [] } = await call("PublishBatch", {
    TopicArn,
    PublishBatchRequestEntries: [
      entry("1", "one"),
      { ...entry("2", "two"), Subject: "a\nb" },
      entry("3", "three"),
      entry("4", "one"),
    ],
  });
  assert.deepEqual(await bodies("q.fifo"), ["one", "three"]);
  assert.deepEqual(
    Successful.map(({ Id }) => Id),
    ["1", "3", "4"],
  );
  assert.equal(Successful[2]?.MessageId, Successful[0]?.MessageId);
  assert.ok((Successful[1]?.SequenceNumber ?? "") > (Successful[0]?.SequenceNumber ?? ""));
  assert.deepEqual(
    Failed.map(({ Id, Code, SenderFault }) => [Id, Code, SenderFault]),
    [["2", "InvalidParameter", true]],
  );
});

test("a batch that is wrong as a whole is not published", async () => {
  const { call, create, queue, subscribe, bodies } = setUp();
  const TopicArn = await create("orders");
  await subscribe(TopicArn, await queue("q"));
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ Id: String(i), Message: "x" }));
  for (const [code, PublishBatchRequestEntries] of [
    ["EmptyBatchRequest", []],
    ["TooManyEntriesInBatchRequest", many(11)],
    ["BatchEntryIdsNotDistinct", [...many(1), ...many(1)]],
    ["InvalidBatchEntryId", [{ Id: "a b", Message: "x" }]],
    ["BatchRequestTooLong", many(2).map((each) => ({ ...each, Message: "x".repeat(140_000) }))],
  ] as const) {
    await assert.rejects(call("PublishBatch", { TopicArn, PublishBatchRequestEntries }), refusal(code, 400));
  }
  await assert.rejects(
    call("PublishBatch", { TopicArn: `${TopicArn}-not`, PublishBatchRequestEntries: many(1) }),
    refusal("NotFound"),
  );
  assert.deepEqual(await bodies("q"), []);
  await call("PublishBatch", { TopicArn, PublishBatchRequestEntries: many(10) });
  assert.equal((await bodies("q")).length, 10);
});

test("tags come and go, by topic and by the tagging API", async () => {
  const { sns, call, create } = setUp();
  const ResourceArn = await create("orders");
  await call("TagResource", {
    ResourceArn,
    Tags: [
      { Key: "team", Value: "shop" },
      { Key: "env", Value: "" },
    ],
  });
  await call("UntagResource", { ResourceArn, TagKeys: ["env", "other"] });
  assert.deepEqual((await call("ListTagsForResource", { ResourceArn })).Tags, [{ Key: "team", Value: "shop" }]);
  await assert.rejects(
    call("TagResource", { ResourceArn: `${ResourceArn}-2`, Tags: [] }),
    refusal("ResourceNotFound", 404),
  );
  const many = Array.from({ length: 50 }, (_, i) => ({ Key: `k${i}`, Value: "" }));
  await assert.rejects(call("TagResource", { ResourceArn, Tags: many }), refusal("TagLimitExceeded"));
  assert.equal(await sns.tagged.tag(ResourceArn, new Map([["a", "b"]])), true);
  assert.equal(await sns.tagged.untag(`${ResourceArn}-2`, ["a"]), false);
  const [listed] = sns.tagged.list("000000000000", "eu-west-1");
  assert.deepEqual([listed?.arn, listed?.tags.get("a")], [ResourceArn, "b"]);
});

test("lists have pages of a hundred", async () => {
  const { call, create } = setUp();
  for (let i = 0; i < 101; i++) await create(`topic-${i}`);
  const first = await call("ListTopics", {});
  const second = await call("ListTopics", { NextToken: first.NextToken });
  assert.deepEqual([first.Topics?.length, second.Topics?.length, second.NextToken], [100, 1, undefined]);
});
