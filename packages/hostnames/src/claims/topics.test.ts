import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { overlaps } from "../names/index.ts";
import { hostnames } from "../names/testing/hostnames.ts";
import { changeOf, createTopics, overlapsOf } from "./topics.ts";

test("news reach those who follow them, and topics that nobody follows any more are told", () => {
  const topics = createTopics();
  topics.follow("a", ["zone Z1", "gateway gw-01"]);
  topics.follow("b", ["zone Z1"]);
  assert.deepEqual(topics.followers("zone Z1"), ["a", "b"]);
  assert.deepEqual(topics.follow("a", ["zone Z1", "gateway gw-02"]), ["gateway gw-01"]);
  assert.deepEqual(topics.followers("gateway gw-01"), []);
  assert.deepEqual(topics.follow("b", []), []);
  assert.deepEqual(topics.follow("a", []), ["zone Z1", "gateway gw-02"]);
});

test("a claim that waits hears of those that overlap with it, and of no others", () => {
  fc.assert(
    fc.property(hostnames, hostnames, (waiting, changed) => {
      fc.pre(waiting !== changed);
      const heard = overlapsOf(waiting).some((topic) => changeOf(changed).includes(topic));
      assert.equal(heard, overlaps(waiting, changed));
    }),
  );
});
