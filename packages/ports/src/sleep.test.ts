import assert from "node:assert/strict";
import { test } from "node:test";
import { deadline, DeadlineError } from "./deadline.ts";
import { ManualClock } from "./manual-clock.ts";
import { sleep } from "./sleep.ts";

test("a sleep ends when its time has passed, and not before", async () => {
  const clock = new ManualClock();
  let awake = false;
  const asleep = sleep(clock, 100).then(() => (awake = true));
  clock.advance(99);
  await Promise.resolve();
  assert.equal(awake, false);
  clock.advance(1);
  await asleep;
  assert.equal(clock.pending, 0);
});

test("an aborted sleep rejects with the reason and leaves no timer", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const asleep = sleep(clock, 100, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(asleep, /enough/);
  await assert.rejects(sleep(clock, 100, controller.signal), /enough/);
  assert.equal(clock.pending, 0);
});

test("a deadline aborts in time, follows its parent, and is gone when disposed of", () => {
  const clock = new ManualClock();
  const late = deadline(clock, 10);
  clock.advance(10);
  assert.ok(late.signal.reason instanceof DeadlineError);

  const parent = new AbortController();
  const child = deadline(clock, 10, parent.signal);
  parent.abort("stop");
  assert.equal(child.signal.reason, "stop");
  child[Symbol.dispose]();

  const finished = deadline(clock, 10);
  finished[Symbol.dispose]();
  clock.advance(20);
  assert.equal(finished.signal.aborted, false);
  assert.equal(clock.pending, 0);
});
