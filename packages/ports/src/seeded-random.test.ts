import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid } from "./random.ts";
import { seededRandom } from "./seeded-random.ts";

test("the same seed gives the same bytes, another seed gives others", () => {
  const first = seededRandom(7).bytes(32);
  assert.deepEqual(seededRandom(7).bytes(32), first);
  assert.notDeepEqual(seededRandom(8).bytes(32), first);
  assert.notDeepEqual(seededRandom(0).bytes(32), new Uint8Array(32));
});

test("bytes go on where the last ones ended, spread over all values, and make uuids that differ", () => {
  const random = seededRandom();
  assert.equal(new Set(random.bytes(4096)).size, 256);
  assert.equal(new Set(Array.from({ length: 1000 }, () => uuid(random))).size, 1000);
});
