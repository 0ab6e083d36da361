import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { CacheChange } from "./informer.ts";
import { Subscriptions } from "./subscriptions.ts";

interface Heard {
  readonly said: string[];
  readonly listen: (change: CacheChange<string>) => void;
}

function ear(): Heard {
  const said: string[] = [];
  return { said, listen: (change) => said.push(`${change.type} ${change.object}`) };
}

function world(objects: readonly string[] = []) {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  const options = { clock, random: seededRandom(), onFailure: (error: unknown) => failures.push(error) };
  return { clock, failures, subscriptions: new Subscriptions<string>(options, () => objects) };
}

const added = (object: string): CacheChange<string> => ({ type: "added", object, initial: false });

test("a new listener is told what is there, and then what changes, until it leaves", () => {
  const { subscriptions } = world(["a", "b"]);
  const { said, listen } = ear();
  const leave = subscriptions.add(listen, undefined);
  assert.deepEqual(said, ["added a", "added b"]);
  subscriptions.tell([added("c")]);
  leave();
  subscriptions.tell([added("d")]);
  assert.deepEqual(said, ["added a", "added b", "added c"]);
});

test("a listener that throws harms nobody and is told of", () => {
  const { subscriptions, failures } = world();
  const { said, listen } = ear();
  subscriptions.add(() => {
    throw new Error("odd");
  }, undefined);
  subscriptions.add(listen, undefined);
  subscriptions.tell([added("a"), added("b")]);
  assert.deepEqual(said, ["added a", "added b"]);
  assert.equal(failures.length, 2);
});

test("everyone hears everything in one order, also when telling leads to more to tell", () => {
  const { subscriptions } = world();
  const { said, listen } = ear();
  subscriptions.add((change) => {
    if (change.object === "a") subscriptions.tell([added("c")]);
  }, undefined);
  subscriptions.add(listen, undefined);
  subscriptions.tell([added("a"), added("b")]);
  assert.deepEqual(said, ["added a", "added b", "added c"]);
});

test("one who begins to listen while others are being told hears nothing twice", () => {
  const { subscriptions } = world(["a", "b"]);
  const { said, listen } = ear();
  let begun = false;
  subscriptions.add((change) => {
    if (change.object !== "b" || change.type !== "updated" || begun) return;
    begun = true;
    subscriptions.add(listen, undefined);
  }, undefined);
  subscriptions.tell([
    { type: "updated", object: "b", previous: "b" },
    { type: "updated", object: "a", previous: "a" },
  ]);
  assert.deepEqual(said, ["added a", "added b"]);
});

test("each listener is resynced as often as it asked, while the informer runs", () => {
  const { subscriptions, clock } = world(["a"]);
  const often = ear();
  const never = ear();
  const leave = subscriptions.add(often.listen, 1_000);
  subscriptions.add(never.listen, undefined);
  clock.advance(10_000);
  assert.deepEqual(often.said, ["added a"]);
  subscriptions.start();
  clock.advance(1_100);
  assert.deepEqual(often.said, ["added a", "resynced a"]);
  clock.advance(1_100);
  assert.deepEqual(often.said.length, 3);
  assert.deepEqual(never.said, ["added a"]);
  leave();
  assert.equal(clock.pending, 0);
  const late = ear();
  subscriptions.add(late.listen, 1_000);
  assert.equal(clock.pending, 1);
  subscriptions.stop();
  assert.equal(clock.pending, 0);
});
