import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { WorkQueue } from "./work-queue.ts";

function world(work: (key: string) => Promise<void>, concurrency = 1) {
  const clock = new ManualClock();
  const failures: string[] = [];
  const queue = new WorkQueue({ clock, work, failed: (key) => failures.push(key), concurrency });
  return { clock, failures, queue };
}

test("keys are worked on in the order of their addition, each once", async () => {
  const done: string[] = [];
  const { queue } = world(async (key) => void done.push(key));
  for (const key of ["b", "a", "b", "c", "a"]) queue.add(key);
  await queue.idle();
  assert.deepEqual(done, ["b", "a", "c"]);
});

test("a key that is added while it is under way runs again, never twice at once", async () => {
  let [running, most, runs] = [0, 0, 0];
  const { queue } = world(async () => {
    most = Math.max(most, ++running);
    if (++runs === 1) queue.add("a");
    await Promise.resolve();
    running--;
  }, 5);
  queue.add("a");
  await queue.idle();
  assert.deepEqual([runs, most], [2, 1]);
});

test("what fails is tried again, later each time", async () => {
  let runs = 0;
  const { clock, failures, queue } = world(async () => {
    if (++runs < 4) throw new Error("no");
  });
  queue.add("a");
  for (const wait of [5, 10, 20]) {
    await queue.idle();
    clock.advance(wait - 1);
    await queue.idle();
    const before = runs;
    clock.advance(1);
    await queue.idle();
    assert.equal(runs, before + 1);
  }
  assert.deepEqual([runs, failures.length, clock.pending], [4, 3, 0]);
});

test("stopping waits for what is under way and forgets the rest", async () => {
  const done: string[] = [];
  let release = (): void => {};
  const { queue } = world(async (key) => {
    await new Promise<void>((resolve) => (release = resolve));
    done.push(key);
  });
  queue.add("a");
  queue.add("b");
  await Promise.resolve();
  const stopped = queue.stop();
  release();
  await stopped;
  queue.add("c");
  await queue.idle();
  assert.deepEqual(done, ["a"]);
});
