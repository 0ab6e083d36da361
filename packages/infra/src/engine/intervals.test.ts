import assert from "node:assert/strict";
import { test } from "node:test";
import { waitTogether } from "./intervals.ts";

test("who waits for as long looks at the same moment, whenever the waiting began, after half as long at least", () => {
  const moments = [0, 1, 9_999, 12_345, 14_999].map((now) => now + waitTogether(now, 30_000));
  assert.deepEqual(new Set(moments), new Set([30_000]));
  assert.equal(15_001 + waitTogether(15_001, 30_000), 60_000);
  assert.equal(waitTogether(5, 600_000), 600_000);
  assert.equal(waitTogether(5, 0), 0);
});
