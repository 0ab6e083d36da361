import assert from "node:assert/strict";
import { test } from "node:test";
import { AwsCallError } from "./aws-call-error.ts";
import { ServerClock } from "./server-clock.ts";
import { scriptedAws } from "./testing/scripted-aws.ts";

const HOUR = 3_600_000;
/** Where virtual time begins. */
const START = Date.UTC(2030, 0, 1);
const stamp = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.[0-9]{3}/g, "");
const dated = (ms: number): string => new Date(ms).toUTCString();

test("a call that is refused for its time is signed anew with AWS's time, also one that must not be made twice", async () => {
  const { aws, calls, clock, passing } = scriptedAws("s3", [
    { error: "RequestTimeTooSkewed", status: 403, date: dated(START + HOUR) },
    { output: {} },
  ]);
  await passing(aws.s3.createBucket({ Bucket: "b" }));
  assert.equal(calls.length, 2);
  assert.equal(calls[0]?.request.headers["x-amz-date"], stamp(START));
  assert.equal(calls[1]?.request.headers["x-amz-date"]?.slice(0, 11), stamp(START + HOUR).slice(0, 11));
  await passing(aws.s3.headBucket({ Bucket: "b" }));
  assert.equal(calls[2]?.request.headers["x-amz-date"], stamp(Math.floor((clock.now() + HOUR) / 1000) * 1000));
});

test("a wrong signature is not blamed on a clock that is right", async () => {
  const { aws, calls, passing } = scriptedAws("sqs", [
    { error: "InvalidSignatureException", status: 403, date: dated(START + 60_000) },
  ]);
  await assert.rejects(
    passing(aws.sqs.listQueues({})),
    (error) => error instanceof AwsCallError && error.kind === "terminal",
  );
  assert.equal(calls.length, 1);
});

test("it is corrected once: a refusal that stays is told", async () => {
  const { aws, calls, passing } = scriptedAws("sqs", [
    { error: "InvalidSignatureException", status: 403, date: dated(START + HOUR) },
  ]);
  await assert.rejects(passing(aws.sqs.listQueues({})), AwsCallError);
  assert.equal(calls.length, 2);
});

test("a clock that is put right is noticed in the same way", () => {
  const clock = new ServerClock();
  assert.equal(clock.refused("RequestTimeTooSkewed", dated(HOUR), 0), true);
  assert.equal(clock.at(5), HOUR + 5);
  assert.equal(clock.refused("RequestTimeTooSkewed", dated(HOUR), HOUR), true);
  assert.equal(clock.at(HOUR), HOUR);
});

test("an answer without a date, or with nonsense, teaches nothing", () => {
  const clock = new ServerClock();
  assert.equal(clock.refused("RequestTimeTooSkewed", undefined, 0), false);
  assert.equal(clock.refused("RequestTimeTooSkewed", "yesterday", 0), false);
  assert.equal(clock.refused("TooManyBuckets", dated(HOUR), 0), false);
  assert.equal(clock.at(7), 7);
});
