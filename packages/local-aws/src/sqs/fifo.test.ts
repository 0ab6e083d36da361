import assert from "node:assert/strict";
import { test } from "node:test";
import { sqsBench } from "./sqs-bench.ts";

async function fifoBench(attributes: Readonly<Record<string, string>> = {}) {
  const bench = sqsBench();
  const QueueUrl = await bench.create("q.fifo", { FifoQueue: "true", ...attributes });
  let count = 0;
  const send = (MessageGroupId: string, MessageBody: string, MessageDeduplicationId = `id-${count++}`) =>
    bench.call("SendMessage", { QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId });
  return { ...bench, QueueUrl, send };
}

test("messages of a group come in their order, and none while one is in flight", async () => {
  const { clock, QueueUrl, send, receive, bodies, call } = await fifoBench();
  for (const body of ["a1", "a2", "a3"]) await send("a", body);
  await send("b", "b1");
  const [first] = await receive(QueueUrl, { MaxNumberOfMessages: 1 });
  assert.equal(first?.Body, "a1");
  assert.deepEqual(await bodies(QueueUrl), ["b1"]);
  await call("DeleteMessage", { QueueUrl, ReceiptHandle: first?.ReceiptHandle ?? "" });
  assert.deepEqual(await bodies(QueueUrl), ["a2", "a3"]);
  clock.advance(30_000);
  assert.deepEqual(await bodies(QueueUrl), ["a2", "a3", "b1"]);
});

test("a group stays closed while a later message of it is in flight", async () => {
  const { clock, QueueUrl, send, receive, bodies, call } = await fifoBench();
  await send("a", "a1");
  await send("a", "a2");
  const [one, two] = await receive(QueueUrl);
  await call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle: one?.ReceiptHandle ?? "", VisibilityTimeout: 0 });
  assert.deepEqual(await bodies(QueueUrl), []);
  await call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle: two?.ReceiptHandle ?? "", VisibilityTimeout: 0 });
  assert.deepEqual(await bodies(QueueUrl), ["a1", "a2"]);
  clock.advance(30_000);
  const expired = call("DeleteMessage", { QueueUrl, ReceiptHandle: two?.ReceiptHandle ?? "" });
  await assert.rejects(expired, /receipt handle has expired/);
});

test("a message with an id that was seen within five minutes is told of, and not taken again", async () => {
  const { clock, QueueUrl, send, bodies, call } = await fifoBench();
  const first = await send("a", "one", "same");
  assert.match(first.SequenceNumber ?? "", /^\d{20}$/);
  const again = await send("b", "other", "same");
  assert.deepEqual([again.MessageId, again.SequenceNumber], [first.MessageId, first.SequenceNumber]);
  const { Successful } = await call("SendMessageBatch", {
    QueueUrl,
    Entries: ["x", "y"].map((Id) => ({ Id, MessageBody: Id, MessageGroupId: "c", MessageDeduplicationId: "twice" })),
  });
  assert.equal(Successful[0]?.MessageId, Successful[1]?.MessageId);
  assert.deepEqual(await bodies(QueueUrl, { VisibilityTimeout: 0 }), ["one", "x"]);
  clock.advance(5 * 60_000);
  await send("a", "two", "same");
  assert.deepEqual(await bodies(QueueUrl), ["one", "x", "two"]);
});

test("a queue that is made anew takes what the one before it was sent; one that is purged does not", async () => {
  const { clock, QueueUrl, send, bodies, call, create } = await fifoBench();
  const neighbour = { QueueUrl: await create("q-two.fifo", { FifoQueue: "true" }), MessageGroupId: "a" };
  await call("SendMessage", { ...neighbour, MessageBody: "kept", MessageDeduplicationId: "same" });
  await send("a", "one", "same");
  await call("PurgeQueue", { QueueUrl });
  await send("a", "again", "same");
  assert.deepEqual(await bodies(QueueUrl), []);
  await call("DeleteQueue", { QueueUrl });
  clock.advance(60_000);
  await create("q.fifo", { FifoQueue: "true" });
  await send("a", "two", "same");
  assert.deepEqual(await bodies(QueueUrl), ["two"]);
  await call("SendMessage", { ...neighbour, MessageBody: "again", MessageDeduplicationId: "same" });
  assert.deepEqual(await bodies(neighbour.QueueUrl), ["kept"]);
});

test("deduplication by content and by group", async () => {
  const { QueueUrl, call, bodies } = await fifoBench({
    ContentBasedDeduplication: "true",
    DeduplicationScope: "messageGroup",
  });
  for (const MessageGroupId of ["a", "b", "a"])
    await call("SendMessage", { QueueUrl, MessageBody: "same", MessageGroupId });
  assert.deepEqual(await bodies(QueueUrl), ["same", "same"]);
});

test("what a FIFO queue needs, and what only it takes", async () => {
  const { QueueUrl, call, create } = await fifoBench();
  const good = { QueueUrl, MessageBody: "x", MessageGroupId: "a", MessageDeduplicationId: "1" };
  await assert.rejects(call("SendMessage", { QueueUrl, MessageBody: "x", MessageDeduplicationId: "1" }), {
    code: "MissingParameter",
  });
  await assert.rejects(call("SendMessage", { QueueUrl, MessageBody: "x", MessageGroupId: "a" }), {
    code: "InvalidParameterValue",
  });
  await assert.rejects(call("SendMessage", { ...good, DelaySeconds: 1 }), { code: "InvalidParameterValue" });
  await assert.rejects(call("SendMessage", { ...good, MessageGroupId: "a b" }), { code: "InvalidParameterValue" });
  const standard = await create("q");
  await assert.rejects(call("SendMessage", { ...good, QueueUrl: standard }), { code: "InvalidParameterValue" });
  await call("SendMessage", { QueueUrl: standard, MessageBody: "x", MessageGroupId: "a" });
});
