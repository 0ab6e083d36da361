import assert from "node:assert/strict";
import { test } from "node:test";
import { groupNumbers } from "./group-numbers.ts";

test("groups count from the left, named or not, and only those that capture", () => {
  const numbers = groupNumbers(String.raw`/(a)(?:b)(?P<one>[^(/]+)\((?i:x)(?<two>.*)`);
  assert.deepEqual(
    [...numbers],
    [
      ["one", 2],
      ["two", 3],
    ],
  );
});

test("parentheses in classes are none", () => {
  assert.deepEqual([...groupNumbers("[](](?P<x>a)")], [["x", 1]]);
});
