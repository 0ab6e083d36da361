import assert from "node:assert/strict";
import { test } from "node:test";
import { Departed } from "./departed.ts";

/** Shows so many other deletions that what is only remembered for a while is forgotten. */
function showOthers(departed: Departed): void {
  for (let other = 0; other < 5000; other++) departed.left(`other-${other}`, "2");
}

test("what this process deleted stays hidden until the watch shows it, however much the watch shows before", () => {
  const departed = new Departed();
  departed.removed("mine");
  showOthers(departed);
  assert.equal(departed.covers("mine", "9"), true);
  departed.left("mine", "3");
  assert.equal(departed.covers("mine", "9"), true);
  showOthers(departed);
  assert.equal(departed.covers("mine", "9"), false);
});

test("a deletion that the watch shows before its answer comes is not awaited for ever", () => {
  const departed = new Departed();
  departed.left("mine", "1");
  departed.removed("mine");
  assert.equal(departed.covers("mine", "9"), true);
  showOthers(departed);
  assert.equal(departed.covers("mine", "9"), false);
});

test("deletions that the watch never shows do not fill the memory", () => {
  const departed = new Departed();
  for (let deleted = 0; deleted < 80_000; deleted++) departed.removed(`uid-${deleted}`);
  assert.equal(departed.covers("uid-0", "9"), false);
  assert.equal(departed.covers("uid-79999", "9"), true);
});
