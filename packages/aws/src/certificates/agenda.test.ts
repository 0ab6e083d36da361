import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { Agenda } from "./agenda.ts";

/** An agenda whose work lasts until it is ended by hand. */
function world(atOnce: number) {
  const clock = new ManualClock();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const agenda = new Agenda(clock, atOnce, (key) => {
    begun.push(key);
    return new Promise((resolve) => ends.set(key, resolve));
  });
  const stop = new AbortController();
  const end = async (key: string): Promise<void> => {
    ends.get(key)?.();
    await nextTurn();
  };
  return { clock, agenda, begun, end, stop };
}

test("nothing is done before it runs, nor before it is due; the earlier moment counts", async () => {
  const { clock, agenda, begun, end, stop } = world(2);
  agenda.put("a", 100);
  agenda.put("b", 50);
  agenda.put("b", 500);
  assert.equal(clock.pending, 0);
  const running = agenda.run(stop.signal);
  clock.advance(49);
  assert.deepEqual(begun, []);
  clock.advance(1);
  assert.deepEqual(begun, ["b"]);
  clock.advance(50);
  assert.deepEqual(begun, ["b", "a"]);
  stop.abort();
  await end("a");
  await end("b");
  await running;
  assert.equal(clock.pending, 0);
});

test("a key is never done twice at once; what is put meanwhile is done once more after that", async () => {
  const { agenda, begun, end, stop } = world(2);
  const running = agenda.run(stop.signal);
  agenda.put("a");
  agenda.put("a");
  agenda.put("a");
  assert.deepEqual(begun, ["a"]);
  await end("a");
  assert.deepEqual(begun, ["a", "a"]);
  await end("a");
  assert.deepEqual(begun, ["a", "a"]);
  stop.abort();
  await running;
});

test("no more are done side by side than may be, in the order in which they are due", async () => {
  const { agenda, begun, end, stop } = world(1);
  const running = agenda.run(stop.signal);
  for (const key of ["a", "b", "c"]) agenda.put(key);
  assert.deepEqual(begun, ["a"]);
  await end("a");
  await end("b");
  assert.deepEqual(begun, ["a", "b", "c"]);
  stop.abort();
  let over = false;
  void running.then(() => (over = true));
  await nextTurn();
  assert.ok(!over, "work that has begun is awaited");
  await end("c");
  await running;
});

test("work that fails ends the run with its error, unless it was stopped", async () => {
  const clock = new ManualClock();
  const agenda = new Agenda(clock, 1, async () => {
    throw new Error("wrong");
  });
  agenda.put("a");
  agenda.put("b", 1_000);
  await assert.rejects(agenda.run(new AbortController().signal), /wrong/);
  assert.equal(clock.pending, 0);
});
