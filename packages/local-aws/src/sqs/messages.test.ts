import assert from "node:assert/strict";
import { test } from "node:test";
import { sqsBench } from "./sqs-bench.ts";

test("a message that is not deleted comes back after its visibility timeout, with a count", async () => {
  const { clock, create, send, receive, bodies, call } = sqsBench();
  const QueueUrl = await create("q");
  await send(QueueUrl, "one");
  const [first] = await receive(QueueUrl);
  assert.equal(first?.Body, "one");
  assert.equal(first?.MD5OfBody, "f97c5d29941bfb1b2fdab0874906ab82");
  assert.deepEqual(await bodies(QueueUrl), []);
  clock.advance(30_000);
  const [again] = await receive(QueueUrl, { MessageSystemAttributeNames: ["All"] });
  assert.equal(again?.MessageId, first?.MessageId);
  assert.notEqual(again?.ReceiptHandle, first?.ReceiptHandle);
  assert.equal(again?.Attributes?.["ApproximateReceiveCount"], "2");
  await call("DeleteMessage", { QueueUrl, ReceiptHandle: again?.ReceiptHandle ?? "" });
  await call("DeleteMessage", { QueueUrl, ReceiptHandle: again?.ReceiptHandle ?? "" });
  clock.advance(30_000);
  assert.deepEqual(await bodies(QueueUrl), []);
  await assert.rejects(call("DeleteMessage", { QueueUrl, ReceiptHandle: "nonsense" }), {
    code: "ReceiptHandleIsInvalid",
  });
});

test("the visibility of a message in flight can be changed, that of others not", async () => {
  const { clock, create, send, receive, bodies, call } = sqsBench();
  const QueueUrl = await create("q");
  await send(QueueUrl, "one");
  const ReceiptHandle = (await receive(QueueUrl))[0]?.ReceiptHandle ?? "";
  await call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 100 });
  clock.advance(99_000);
  assert.deepEqual(await bodies(QueueUrl), []);
  await call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
  const idle = call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 10 });
  await assert.rejects(idle, { code: "AWS.SimpleQueueService.MessageNotInflight" });
  assert.deepEqual(await bodies(QueueUrl), ["one"]);
  const stale = call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle, VisibilityTimeout: 10 });
  await assert.rejects(stale, { code: "InvalidParameterValue" });
});

test("delays, retention and sizes are those of the queue", async () => {
  const { clock, create, send, bodies, call, attribute } = sqsBench();
  const QueueUrl = await create("q", { DelaySeconds: "10", MessageRetentionPeriod: "60", MaximumMessageSize: "1024" });
  await send(QueueUrl, "late");
  await call("SendMessage", { QueueUrl, MessageBody: "soon", DelaySeconds: 0 });
  assert.equal(await attribute(QueueUrl, "ApproximateNumberOfMessagesDelayed"), "1");
  assert.deepEqual(await bodies(QueueUrl, { VisibilityTimeout: 0 }), ["soon"]);
  clock.advance(10_000);
  assert.deepEqual(await bodies(QueueUrl, { VisibilityTimeout: 0 }), ["late", "soon"]);
  clock.advance(50_000);
  assert.deepEqual(await bodies(QueueUrl), []);
  await assert.rejects(send(QueueUrl, "é".repeat(513)), { code: "InvalidParameterValue" });
  await assert.rejects(send(QueueUrl, ""), { code: "MissingParameter" });
  await assert.rejects(send(QueueUrl, "a\u0000b"), { code: "InvalidMessageContents" });
  await assert.rejects(bodies(QueueUrl, { MaxNumberOfMessages: 11 }), { code: "InvalidParameterValue" });
});

test("attributes of messages come back with the MD5 that SDKs compute", async () => {
  const { create, receive, call } = sqsBench();
  const QueueUrl = await create("q");
  const MessageAttributes = {
    timestamp: { StringValue: "1493147359900", DataType: "Number" },
    bytes: { BinaryValue: new Uint8Array([1, 2, 3]), DataType: "Binary.raw" },
  };
  // What other implementations of the published algorithm give.
  const single = await call("SendMessage", {
    QueueUrl,
    MessageBody: "x",
    MessageAttributes: { timestamp: MessageAttributes.timestamp },
  });
  assert.equal(single.MD5OfMessageAttributes, "235c5c510d26fb653d073faed50ae77c");
  await receive(QueueUrl);
  const sent = await call("SendMessage", { QueueUrl, MessageBody: "x", MessageAttributes });
  const [all] = await receive(QueueUrl, { MessageAttributeNames: ["All"], VisibilityTimeout: 0 });
  assert.deepEqual(all?.MessageAttributes, MessageAttributes);
  assert.equal(all?.MD5OfMessageAttributes, sent.MD5OfMessageAttributes);
  const [some] = await receive(QueueUrl, { MessageAttributeNames: ["time.*", "timestamp"] });
  assert.deepEqual(Object.keys(some?.MessageAttributes ?? {}), ["timestamp"]);
  assert.equal(some?.MD5OfMessageAttributes, single.MD5OfMessageAttributes);
  for (const bad of [
    { DataType: "String", StringValue: "" },
    { DataType: "Other", StringValue: "x" },
    { DataType: "Number", StringValue: "x" },
  ]) {
    const refused = call("SendMessage", { QueueUrl, MessageBody: "x", MessageAttributes: { a: bad } });
    await assert.rejects(refused, { code: "InvalidParameterValue" });
  }
});

test("batches take what is right and say what is not", async () => {
  const { create, bodies, receive, call } = sqsBench();
  const QueueUrl = await create("q");
  const batch = (...Entries: readonly { readonly Id: string; readonly MessageBody: string }[]) =>
    call("SendMessageBatch", { QueueUrl, Entries });
  const { Successful, Failed } = await batch(
    { Id: "a", MessageBody: "one" },
    { Id: "b", MessageBody: "" },
    { Id: "c", MessageBody: "two" },
  );
  assert.deepEqual(
    Successful.map(({ Id }) => Id),
    ["a", "c"],
  );
  assert.deepEqual(
    Failed.map(({ Id, Code, SenderFault }) => ({ Id, Code, SenderFault })),
    [{ Id: "b", Code: "MissingParameter", SenderFault: true }],
  );
  const code = (name: string) => ({ code: `AWS.SimpleQueueService.${name}` });
  await assert.rejects(batch(), code("EmptyBatchRequest"));
  await assert.rejects(
    batch(...Array.from({ length: 11 }, (_, i) => ({ Id: `${i}`, MessageBody: "x" }))),
    code("TooManyEntriesInBatchRequest"),
  );
  await assert.rejects(
    batch({ Id: "a", MessageBody: "x" }, { Id: "a", MessageBody: "y" }),
    code("BatchEntryIdsNotDistinct"),
  );
  await assert.rejects(batch({ Id: "a b", MessageBody: "x" }), code("InvalidBatchEntryId"));
  const large = "x".repeat(600_000);
  await assert.rejects(
    batch({ Id: "a", MessageBody: large }, { Id: "b", MessageBody: large }),
    code("BatchRequestTooLong"),
  );
  const Entries = (await receive(QueueUrl)).map(({ ReceiptHandle = "" }, i) => ({ Id: `${i}`, ReceiptHandle }));
  const deleted = await call("DeleteMessageBatch", {
    QueueUrl,
    Entries: [...Entries, { Id: "x", ReceiptHandle: "nonsense" }],
  });
  assert.deepEqual([deleted.Successful.length, deleted.Failed.length], [2, 1]);
  assert.deepEqual(await bodies(QueueUrl), []);
});

test("a long poll ends with the first message, with its time, or with its client", async () => {
  const { clock, create, send, bodies, receive, call } = sqsBench();
  const QueueUrl = await create("q", { ReceiveMessageWaitTimeSeconds: "20" });
  const waiting = bodies(QueueUrl);
  await send(QueueUrl, "one");
  assert.deepEqual(await waiting, ["one"]);

  const visibleAgain = bodies(QueueUrl, { VisibilityTimeout: 100 });
  for (let i = 0; i < 4; i++) await Promise.resolve();
  clock.advance(20_000);
  assert.deepEqual(await visibleAgain, []);
  const comesBack = bodies(QueueUrl);
  for (let i = 0; i < 4; i++) await Promise.resolve();
  clock.advance(10_000);
  assert.deepEqual(await comesBack, ["one"]);

  const gone = new AbortController();
  const left = call("ReceiveMessage", { QueueUrl }, { signal: gone.signal });
  for (let i = 0; i < 4; i++) await Promise.resolve();
  gone.abort();
  assert.deepEqual(await left, {});
  assert.equal(clock.pending, 0);
  assert.deepEqual(await receive(QueueUrl, { WaitTimeSeconds: 0 }), []);
});

test("receivers that wait are let go at the end", async () => {
  const { sqs, clock, create, bodies } = sqsBench();
  const url = await create("q", { ReceiveMessageWaitTimeSeconds: "20" });
  const waiting = bodies(url);
  for (let i = 0; i < 4; i++) await Promise.resolve();
  sqs.stop();
  assert.deepEqual(await waiting, []);
  assert.deepEqual(await bodies(url), []);
  assert.equal(clock.pending, 0);
});

test("a message that was received too often moves to the dead-letter queue", async () => {
  const { clock, create, send, bodies, receive } = sqsBench();
  const dead = await create("dead");
  const target = "arn:aws:sqs:eu-west-1:000000000000:dead";
  const url = await create("q", { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: target, maxReceiveCount: 2 }) });
  await send(url, "poison");
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await bodies(url), ["poison"]);
    assert.deepEqual(await bodies(dead), []);
    clock.advance(30_000);
  }
  assert.deepEqual(await bodies(url), []);
  const [message] = await receive(dead, { MessageSystemAttributeNames: ["DeadLetterQueueSourceArn"] });
  assert.equal(message?.Body, "poison");
  assert.deepEqual(message?.Attributes, { DeadLetterQueueSourceArn: "arn:aws:sqs:eu-west-1:000000000000:q" });
});

test("messages survive a restart, as do those in flight", async () => {
  const before = sqsBench();
  const url = await before.create("q");
  await before.send(url, "one", "two");
  const [one] = await before.receive(url, { MaxNumberOfMessages: 1 });
  const after = sqsBench({ state: before.state, clock: before.clock });
  await after.send(url, "three");
  assert.deepEqual(await after.bodies(url), ["two", "three"]);
  await after.call("DeleteMessage", { QueueUrl: url, ReceiptHandle: one?.ReceiptHandle ?? "" });
  assert.equal(await after.attribute(url, "ApproximateNumberOfMessagesNotVisible"), "2");
});

test("what all messages take is bounded, and old ones make room", async () => {
  const { clock, create, send, bodies, sqs } = sqsBench({ mostBytes: 3_000 });
  const url = await create("q", { MessageRetentionPeriod: "60" });
  await send(url, "a".repeat(1_000), "b".repeat(1_000));
  await assert.rejects(send(url, "c".repeat(1_000)), { code: "OverLimit" });
  clock.advance(60_000);
  await send(url, "d");
  assert.deepEqual(await bodies(url), ["d"]);
  clock.advance(60_000);
  await sqs.tick();
  await send(url, "e".repeat(2_000));
});
