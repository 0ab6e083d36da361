import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { Crowd } from "./crowd.ts";

const WORKERS = 16;

/** As many runs as may begin at once, and the workers allow; gives what ends them. */
function fill(crowd: Crowd, provider: string, most = WORKERS): (() => void)[] {
  const ends: (() => void)[] = [];
  while (ends.length < most) {
    const end = crowd.enter(provider);
    if (end === undefined) break;
    ends.push(end);
  }
  return ends;
}

test("a provider that is quick has all workers", () => {
  const clock = new ManualClock();
  const crowd = new Crowd(clock);
  for (let round = 0; round < 3; round++) {
    const ends = fill(crowd, "shop/aws");
    assert.equal(ends.length, WORKERS);
    clock.advance(5_000);
    for (const end of ends) end();
  }
});

test("one whose AWS does not answer has a few, until it does", () => {
  const clock = new ManualClock();
  const crowd = new Crowd(clock);
  const first = fill(crowd, "shop/dark");
  clock.advance(30_000);
  for (const end of first) end();
  const next = fill(crowd, "shop/dark");
  assert.equal(next.length, 4);
  assert.equal(fill(crowd, "shop/light", WORKERS - next.length).length, 12);
  clock.advance(1_000);
  next[0]?.();
  assert.equal(fill(crowd, "shop/dark", WORKERS - 3).length, WORKERS - 3);
});

test("however many providers do not answer, some workers are left to the others", () => {
  const clock = new ManualClock();
  const crowd = new Crowd(clock);
  const dark = Array.from({ length: 10 }, (_, at) => `evil/${at}`);
  for (const each of dark) {
    const [end] = fill(crowd, each, 1);
    clock.advance(20_000);
    end?.();
  }
  const held = dark.flatMap((each) => fill(crowd, each));
  assert.equal(held.length, 12);
  assert.equal(fill(crowd, "shop/aws", WORKERS - held.length).length, 4);
});

test("runs that go on without an end make their provider slow before they end", () => {
  const clock = new ManualClock();
  const crowd = new Crowd(clock);
  assert.equal(fill(crowd, "shop/dark", 4).length, 4);
  clock.advance(15_000);
  assert.equal(crowd.enter("shop/dark"), undefined);
  assert.ok(crowd.enter("shop/light"));
});
