import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { coarseTimerOf } from "./coarse-timer.ts";

test("deadlines are kept to within a tick, and nothing runs while there is nothing to watch", () => {
  const clock = new ManualClock();
  const timer = coarseTimerOf(clock);
  assert.equal(coarseTimerOf(clock), timer);
  const expired: number[] = [];
  const watched = {
    deadline: timer.now + 1200,
    expired() {
      expired.push(clock.monotonic());
      watched.deadline = Number.POSITIVE_INFINITY;
    },
  };
  assert.equal(clock.pending, 0);
  timer.add(watched);
  clock.advance(10_000);
  assert.deepEqual(expired, [1500]);
  timer.remove(watched);
  assert.equal(clock.pending, 0);
});

test("whoever is removed while others expire is not asked", () => {
  const clock = new ManualClock();
  const timer = coarseTimerOf(clock);
  const asked: string[] = [];
  const second = { deadline: 0, expired: () => void asked.push("second") };
  const first = {
    deadline: 0,
    expired() {
      asked.push("first");
      timer.remove(first);
      timer.remove(second);
    },
  };
  timer.add(first);
  timer.add(second);
  clock.advance(2000);
  assert.deepEqual(asked, ["first"]);
});
