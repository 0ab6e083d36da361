import assert from "node:assert/strict";
import { test } from "node:test";
import { DeadlineError, ManualClock } from "@gatewright/ports";
import { BriefMemory } from "./brief-memory.ts";

function memory(options: { size?: number; asking?: number } = {}) {
  const clock = new ManualClock();
  const kept = new BriefMemory<number>({ clock, ttlMs: 100, size: 2, patienceMs: 50, asking: 2, ...options });
  let asked = 0;
  return { clock, kept, ask: () => Promise.resolve(++asked), asked: () => asked };
}

test("a question is asked once for all who ask at the same time, and again after a while", async () => {
  const { clock, kept, ask } = memory();
  assert.deepEqual(await Promise.all([kept.get("a", ask), kept.get("a", ask)]), [1, 1]);
  clock.advance(99);
  assert.equal(await kept.get("a", ask), 1);
  clock.advance(1);
  assert.equal(await kept.get("a", ask), 2);
});

test("a failure is not remembered", async () => {
  const { kept, ask } = memory();
  await assert.rejects(kept.get("a", () => Promise.reject(new Error("away"))));
  assert.equal(await kept.get("a", ask), 1);
});

test("the oldest answers go when there are too many", async () => {
  const { kept, ask, asked } = memory();
  for (const key of ["a", "b", "c", "b", "a"]) await kept.get(key, ask);
  assert.equal(asked(), 4);
});

test("too many questions at once are refused, and one that takes too long is given up", async () => {
  const { clock, kept, ask } = memory();
  const slow = (signal: AbortSignal): Promise<number> =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const waiting = [kept.get("a", slow), kept.get("b", slow)];
  await assert.rejects(kept.get("c", ask), /too many questions/);
  clock.advance(50);
  for (const each of waiting) await assert.rejects(each, DeadlineError);
  assert.equal(await kept.get("c", ask), 1);
  assert.equal(clock.pending, 0);
});
