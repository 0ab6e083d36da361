import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceType } from "./resource-types.ts";
import { filled, made, worldText } from "./testing/made-resources.ts";
import type { TypedResources } from "./typed-resources.ts";
import { WorldSubscription } from "./world-subscription.ts";

function client(type: ResourceType, resources: TypedResources) {
  const subscription = new WorldSubscription(type, resources);
  let nonce = 0;
  return {
    subscription,
    next: (generation: number, removalsThrough = generation): string | undefined => {
      const answer = subscription.next({ generation, removalsThrough, nonce: String(nonce + 1) });
      if (answer !== undefined) nonce++;
      return worldText(answer);
    },
    ask: (names: readonly string[], generation = 1, error?: string) =>
      subscription.take({ names, nonce: nonce === 0 ? "" : String(nonce), error }, generation),
  };
}

test("an answer about clusters is all there is, whenever one of them changes or goes", () => {
  const resources = filled("a", "b");
  const { ask, next } = client("cluster", resources);
  ask([]);
  assert.equal(next(1), "a=1 b=1");
  ask([]);
  resources.set(made("a", "2"), 2);
  assert.equal(next(2), "a=2 b=1");
  ask([], 2);
  resources.remove("b", 3);
  assert.equal(next(3), "a=2");
  ask([], 3);
  assert.equal(next(3), undefined);
});

test("an empty answer tells that there is nothing", () => {
  const { ask, next } = client("listener", filled());
  ask([]);
  assert.equal(next(1), "");
});

test("of routes only those that changed or are new to the client are sent", () => {
  const resources = filled("a", "b", "c");
  const { ask, next } = client("routes", resources);
  ask(["a", "b"]);
  assert.equal(next(1), "a=1 b=1");
  ask(["a", "b"]);
  resources.set(made("b", "2"), 2);
  resources.set(made("c", "2"), 2);
  assert.equal(next(2), "b=2");
  ask(["a", "b", "c"], 2);
  assert.equal(next(2), "c=2");
});

test("a name that is not there is remembered, and sent when it comes", () => {
  const resources = filled();
  const { ask, next } = client("routes", resources);
  ask(["later"]);
  assert.equal(next(1), undefined);
  resources.set(made("later"), 2);
  assert.equal(next(2), "later=1");
});

test("after a name was given an empty list means nothing", () => {
  const resources = filled("a");
  const { ask, next } = client("cluster", resources);
  ask(["a"]);
  assert.equal(next(1), "a=1");
  ask([]);
  resources.set(made("a", "2"), 2);
  assert.equal(next(2), undefined);
});

test("a request with an old nonce says nothing", () => {
  const resources = filled("a");
  const { ask, next, subscription } = client("cluster", resources);
  ask([]);
  next(1);
  assert.equal(subscription.take({ names: ["x"], nonce: "0", error: undefined }, 1), undefined);
  assert.equal(subscription.isWaiting, true);
  assert.equal(subscription.wants("x"), true);
});

test("a refusal is told with what was refused, and the same is not sent again", () => {
  const { ask, next } = client("cluster", filled("a"));
  ask([]);
  next(1);
  const verdict = ask([], 1, "bad");
  assert.equal(verdict?.error, "bad");
  assert.equal(verdict?.resources.length, 1);
  assert.equal(next(1), undefined);
});

test("what may still be referred to stays in the answer until it may go", () => {
  const resources = filled("a", "b");
  const { ask, next, subscription } = client("cluster", resources);
  ask([]);
  next(1);
  ask([]);
  resources.remove("a", 2);
  resources.set(made("c"), 2);
  assert.equal(next(2, 1), "a=1 b=1 c=1");
  ask([], 2);
  assert.equal(subscription.isSettled(2), false);
  assert.equal(next(2, 2), "b=1 c=1");
  ask([], 2);
  assert.equal(subscription.isSettled(2), true);
});
