import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "../testing/service-caller.ts";
import { sqsBench } from "./sqs-bench.ts";

const arn = (name: string): string => `arn:aws:sqs:eu-west-1:000000000000:${name}`;

/** Two queues whose messages die at their second receive. */
async function moveBench() {
  const bench = sqsBench();
  const { create, send, bodies } = bench;
  const dead = await create("dead");
  const policy = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn("dead"), maxReceiveCount: 1 }) };
  const one = await create("one", policy);
  const two = await create("two", policy);
  const die = async (url: string, ...texts: readonly string[]): Promise<void> => {
    await send(url, ...texts);
    for (let i = 0; i < 2; i++) await bodies(url, { VisibilityTimeout: 0 });
  };
  return { ...bench, dead, one, two, die };
}

test("dead messages go back to the queues that they came from, as new ones", async () => {
  const { clock, call, receive, bodies, dead, one, two, die } = await moveBench();
  await die(one, "a", "b");
  await die(two, "c");
  const [before] = await receive(dead, { MaxNumberOfMessages: 1, VisibilityTimeout: 0 });
  clock.advance(60_000);
  const { TaskHandle } = await call("StartMessageMoveTask", { SourceArn: arn("dead") });
  assert.ok(TaskHandle);
  const back = await receive(one, { MessageSystemAttributeNames: ["All"] });
  assert.deepEqual(
    back.map(({ Body }) => Body),
    ["a", "b"],
  );
  const { ApproximateReceiveCount, SentTimestamp, DeadLetterQueueSourceArn } = back[0]?.Attributes ?? {};
  assert.deepEqual([ApproximateReceiveCount, SentTimestamp], ["1", String(clock.now())]);
  assert.equal(DeadLetterQueueSourceArn, undefined);
  assert.notEqual(back[0]?.MessageId, before?.MessageId);
  assert.deepEqual(await bodies(two), ["c"]);
  assert.deepEqual(await bodies(dead), []);
  assert.deepEqual((await call("ListMessageMoveTasks", { SourceArn: arn("dead") })).Results, [
    {
      Status: "COMPLETED",
      SourceArn: arn("dead"),
      ApproximateNumberOfMessagesMoved: 3,
      ApproximateNumberOfMessagesToMove: 3,
      StartedTimestamp: clock.now(),
    },
  ]);
});

test("dead messages go to one other queue if it is named; those that somebody has received stay, and who waits is woken", async () => {
  const { call, create, receive, bodies, dead, one, die } = await moveBench();
  await die(one, "a", "b");
  await receive(dead, { MaxNumberOfMessages: 1 });
  const other = await create("other");
  const waiting = bodies(other, { WaitTimeSeconds: 20 });
  const input = { SourceArn: arn("dead"), DestinationArn: arn("other"), MaxNumberOfMessagesPerSecond: 5 };
  await call("StartMessageMoveTask", input);
  assert.deepEqual(await waiting, ["b"]);
  const [task] = (await call("ListMessageMoveTasks", { SourceArn: arn("dead") })).Results ?? [];
  assert.deepEqual([task?.DestinationArn, task?.MaxNumberOfMessagesPerSecond], [arn("other"), 5]);
});

test("a message that came from nowhere, or from a queue that is gone, ends the task", async () => {
  const { clock, call, send, receive, bodies, dead, one, two, die } = await moveBench();
  await die(one, "a");
  await die(two, "b");
  await send(dead, "c");
  await call("DeleteQueue", { QueueUrl: two });
  const reasons = async () =>
    (await call("ListMessageMoveTasks", { SourceArn: arn("dead"), MaxResults: 10 })).Results?.map(
      ({ Status, FailureReason, ApproximateNumberOfMessagesMoved: moved }) => [Status, FailureReason, moved],
    );
  await call("StartMessageMoveTask", { SourceArn: arn("dead") });
  const gone = ["FAILED", "AWS.SimpleQueueService.NonExistentQueue", 1];
  assert.deepEqual(await reasons(), [gone]);
  assert.deepEqual(await bodies(one), ["a"]);
  const [message] = await receive(dead, { MaxNumberOfMessages: 1 });
  await call("DeleteMessage", { QueueUrl: dead, ReceiptHandle: message?.ReceiptHandle ?? "" });
  clock.advance(1_000);
  await call("StartMessageMoveTask", { SourceArn: arn("dead") });
  assert.deepEqual(await reasons(), [["FAILED", "CouldNotDetermineMessageSource", 0], gone]);
  assert.deepEqual(await bodies(dead), ["c"]);
});

test("moves of what cannot be moved are refused, and a task that is over is not cancelled", async () => {
  const { call, create } = await moveBench();
  await create("q.fifo", { FifoQueue: "true" });
  const start = (SourceArn: string, DestinationArn?: string, MaxNumberOfMessagesPerSecond?: number) =>
    call("StartMessageMoveTask", { SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond });
  await assert.rejects(start(arn("none")), refusal("ResourceNotFoundException", 404));
  await assert.rejects(start(arn("dead"), arn("none")), refusal("ResourceNotFoundException", 404));
  await assert.rejects(start(arn("one")), refusal("InvalidParameterValue", 400));
  await assert.rejects(start(arn("dead"), arn("dead")), refusal("InvalidParameterValue"));
  await assert.rejects(start(arn("dead"), arn("q.fifo")), refusal("InvalidParameterValue"));
  await assert.rejects(start(arn("dead"), undefined, 501), refusal("InvalidParameterValue"));
  const { TaskHandle = "" } = await start(arn("dead"));
  const cancel = (handle: string) => call("CancelMessageMoveTask", { TaskHandle: handle });
  await assert.rejects(cancel(TaskHandle), refusal("AWS.SimpleQueueService.UnsupportedOperation", 400));
  await assert.rejects(cancel("nonsense"), refusal("InvalidParameterValue"));
  const other = Buffer.from(`other ${arn("dead")}`).toString("base64");
  await assert.rejects(cancel(other), refusal("ResourceNotFoundException", 404));
});

test("the last ten tasks of a queue are remembered, until it is deleted", async () => {
  const { clock, call, create, dead } = await moveBench();
  const list = async (MaxResults?: number) =>
    (await call("ListMessageMoveTasks", { SourceArn: arn("dead"), MaxResults })).Results ?? [];
  const first = clock.now();
  for (let i = 0; i < 12; i++) {
    await call("StartMessageMoveTask", { SourceArn: arn("dead") });
    clock.advance(1_000);
  }
  assert.deepEqual(
    (await list(10)).map(({ StartedTimestamp = 0 }) => (StartedTimestamp - first) / 1_000),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
  );
  assert.equal((await list()).length, 1);
  await assert.rejects(list(11), refusal("InvalidParameterValue"));
  await call("DeleteQueue", { QueueUrl: dead });
  clock.advance(60_000);
  await create("dead");
  assert.deepEqual(await list(10), []);
});
