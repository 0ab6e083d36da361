import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { createBook } from "./book.ts";
import type { Reading } from "./book.ts";
import { dueAfter } from "./intervals.ts";
import { objectOf } from "./testing/observations.ts";

const object = objectOf();
const reading = (turn: number, begunAt = 0): Reading => ({
  turn,
  begunAt,
  session: "s",
  id: "x",
  declared: undefined,
  seen: { value: turn },
});

test("a read that began before a write says nothing of how it is afterwards", () => {
  const book = createBook(new ManualClock());
  const before = book.turn();
  book.wrote(object);
  book.read("uid-1", reading(before), true);
  assert.equal(book.page(object).reading, undefined);
  const after = book.turn();
  book.read("uid-1", reading(after), true);
  assert.equal(book.page(object).reading?.turn, after);
});

test("of two reads the one that began later is kept, whichever ends first", () => {
  const book = createBook(new ManualClock());
  const [first, second] = [book.turn(), book.turn()];
  book.read("uid-1", reading(second), true);
  book.read("uid-1", reading(first), true);
  assert.equal(book.page(object).reading?.turn, second);
});

test("since when something is missed is forgotten when it is seen, or written", () => {
  const book = createBook(new ManualClock());
  book.read("uid-1", reading(book.turn(), 10), false);
  book.read("uid-1", reading(book.turn(), 20), false);
  assert.equal(book.page(object).missedSince, 10);
  book.read("uid-1", reading(book.turn(), 30), true);
  assert.equal(book.page(object).missedSince, undefined);
  book.read("uid-1", reading(book.turn(), 40), false);
  book.wrote(object);
  assert.equal(book.page(object).missedSince, undefined);
});

test("an intent is untried until something was written", () => {
  const book = createBook(new ManualClock());
  book.intend(object, "t");
  assert.equal(book.page(object).intended, "t");
  book.wrote(object);
  assert.equal(book.page(object).intended, undefined);
});

test("four writes of a field within ten minutes are a loop, until the first of them is ten minutes old", () => {
  const clock = new ManualClock();
  const book = createBook(clock);
  for (let n = 0; n < 4; n++) {
    assert.deepEqual(book.loops(object, ["a"]).paths, []);
    book.changed(object, new Map([["a", n]]));
    clock.advance(60_000);
  }
  assert.deepEqual(book.loops(object, ["a", "b"]), { paths: ["a"], waitMs: 360_000 });
  const changed = { ...object, metadata: { ...object.metadata, generation: 2 } };
  assert.deepEqual(book.loops(changed, ["a"]).paths, []);
  clock.advance(360_000);
  assert.deepEqual(book.loops(object, ["a"]).paths, []);
});

test("what was written settles for as long as its field takes", () => {
  const clock = new ManualClock();
  const book = createBook(clock);
  book.changed(
    object,
    new Map([
      ["slow", 1],
      ["fast", undefined],
    ]),
  );
  book.tagged(object, { set: { a: "1" }, remove: ["b"] });
  const ms = (path: string): number => (path === "slow" ? 900 : 60);
  assert.deepEqual(
    [...book.settling(object, ms)],
    [
      ["slow", 1],
      ["fast", undefined],
    ],
  );
  assert.deepEqual(book.settledTags(object, { b: "2", c: "3" }, 60), { a: "1", c: "3" });
  clock.advance(100);
  assert.deepEqual([...book.settling(object, ms)], [["slow", 1]]);
  assert.deepEqual(book.settledTags(object, { b: "2" }, 60), { b: "2" });
});

test("those that are read together are due together, others spread over the interval", () => {
  const uids = Array.from({ length: 200 }, (_, n) => `uid-${n}`);
  const together = new Set(uids.map((uid, n) => dueAfter(1_000_000 + n, 600_000, uid, true)));
  assert.equal(together.size, 1);
  const spread = uids.map((uid) => dueAfter(1_000_000, 600_000, uid, false));
  assert.ok(new Set(spread.map((at) => Math.floor(at / 60_000))).size >= 9);
  for (const at of [...together, ...spread]) assert.ok(at >= 1_300_000 && at <= 1_900_000);
});
