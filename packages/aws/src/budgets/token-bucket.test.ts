import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { TokenBucket } from "./token-bucket.ts";

const NEVER = new AbortController().signal;

/** A bucket whose takings are noted when they are served. */
function noted(capacity: number, refill: number) {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { capacity, refill });
  const served: string[] = [];
  const take = (cost: number, flow: string, signal = NEVER): void =>
    void bucket.take(cost, flow, signal).then(
      () => served.push(`${flow}${cost} at ${clock.monotonic()}`),
      () => undefined,
    );
  return { clock, served, take };
}

test("what is there is given at once, the rest as it comes back", async () => {
  const { clock, served, take } = noted(2, 1);
  for (let at = 0; at < 4; at++) take(1, "a");
  await nextTurn();
  assert.deepEqual(served, ["a1 at 0", "a1 at 0"]);
  for (let second = 0; second < 3; second++) {
    clock.advance(1_000);
    await nextTurn();
  }
  assert.deepEqual(served.slice(2), ["a1 at 1000", "a1 at 2000"]);
  assert.equal(clock.pending, 0);
});

test("one who takes much holds back nobody who takes little, and is served too", async () => {
  const { clock, served, take } = noted(100, 10);
  take(100, "large");
  for (let at = 0; at < 3; at++) take(100, "large");
  take(5, "small");
  take(5, "other");
  for (let second = 0; second < 35; second++) {
    clock.advance(1_000);
    await nextTurn();
  }
  assert.deepEqual(
    served.map((each) => each.replace(/ at .*/, "")),
    ["large100", "small5", "other5", "large100", "large100", "large100"],
  );
});

test("many who take little do not starve one who takes much", async () => {
  const { clock, served, take } = noted(10, 1);
  take(10, "first");
  take(10, "large");
  for (let second = 0; second < 40 && !served.some((each) => each.startsWith("large10")); second++) {
    take(1, "small");
    clock.advance(1_000);
    await nextTurn();
  }
  assert.ok(served.some((each) => each.startsWith("large10")));
});

test("more than the bucket holds is taken when it is full, and owed", async () => {
  const { clock, served, take } = noted(10, 10);
  take(20, "a");
  take(1, "a");
  await nextTurn();
  assert.deepEqual(served, ["a20 at 0"]);
  clock.advance(1_100);
  await nextTurn();
  assert.deepEqual(served[1], "a1 at 1100");
});

test("who gives up waits no more and leaves no timer", async () => {
  const { clock, served, take } = noted(1, 1);
  const giving = new AbortController();
  take(1, "a");
  take(1, "a", giving.signal);
  await nextTurn();
  giving.abort();
  await nextTurn();
  assert.deepEqual([served.length, clock.pending], [1, 0]);
});
