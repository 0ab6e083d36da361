import assert from "node:assert/strict";
import { test } from "node:test";
import { DeltaSubscription } from "./delta-subscription.ts";
import type { DeltaAsk } from "./delta-subscription.ts";
import type { ResourceType } from "./resource-types.ts";
import { deltaText, filled, made } from "./testing/made-resources.ts";
import type { TypedResources } from "./typed-resources.ts";

const NOTHING: DeltaAsk = { subscribe: [], unsubscribe: [], initialVersions: new Map(), nonce: "", error: undefined };

/** A subscription, and what it answers when it is asked for the next one; an answer is taken at once. */
function client(type: ResourceType, resources: TypedResources) {
  const subscription = new DeltaSubscription(type, resources);
  let nonce = 0;
  const next = (generation: number, removalsThrough = generation): string | undefined => {
    const answer = subscription.next({ generation, removalsThrough, nonce: String(nonce + 1) });
    if (answer !== undefined) nonce++;
    return deltaText(answer);
  };
  return {
    subscription,
    next,
    ask: (ask: Partial<DeltaAsk>, generation = 1) => subscription.take({ ...NOTHING, ...ask }, generation),
    /** Takes the answer before. */
    taken: (generation = 1, error?: string) =>
      subscription.take({ ...NOTHING, nonce: String(nonce), error }, generation),
  };
}

test("without names everything of clusters and listeners is meant, and nothing of others", () => {
  const clusters = client("cluster", filled("a", "b"));
  clusters.ask({});
  assert.equal(clusters.next(1), "a=1 b=1");
  const routes = client("routes", filled("a"));
  routes.ask({});
  assert.equal(routes.next(1), undefined);
});

test("who asks for everything is told at once that there is nothing", () => {
  const { ask, next, taken } = client("cluster", filled());
  ask({});
  assert.equal(next(1), "");
  taken();
  assert.equal(next(1), undefined);
});

test("only what changed is sent, and nothing while an answer is on its way", () => {
  const resources = filled("a", "b");
  const { ask, next, taken } = client("cluster", resources);
  ask({ subscribe: ["*"] });
  assert.equal(next(1), "a=1 b=1");
  resources.set(made("a", "2"), 2);
  assert.equal(next(2), undefined);
  assert.deepEqual(taken(2)?.error, undefined);
  resources.remove("b", 3);
  assert.equal(next(3), "a=2 -b");
  taken(3);
  assert.equal(next(3), undefined);
});

test("a client that comes back is sent what differs, and told what went", () => {
  const resources = filled("a", "b");
  const version = resources.get("a")?.version ?? "";
  const { ask, next } = client("cluster", resources);
  const initialVersions = new Map([
    ["a", version],
    ["b", "old"],
    ["gone", "1"],
  ]);
  ask({ subscribe: ["*"], initialVersions });
  assert.equal(next(1), "b=1 -gone");
});

test("what is subscribed to is answered, even if the client should have it", () => {
  const { ask, next, taken } = client("endpoints", filled("a"));
  ask({ subscribe: ["a"] });
  assert.equal(next(1), "a=1");
  taken();
  ask({ subscribe: ["a"] });
  assert.equal(next(1), "a=1");
});

test("a name that is not there is said so at once, and sent when it comes", () => {
  const resources = filled();
  const { ask, next, taken } = client("endpoints", resources);
  ask({ subscribe: ["later"] });
  assert.equal(next(1), "-later");
  taken();
  resources.set(made("later"), 2);
  assert.equal(next(2), "later=1");
});

test("what a client no longer wants is not sent; with everything wanted it is told how it stands", () => {
  const resources = filled("a", "b");
  const one = client("endpoints", resources);
  one.ask({ subscribe: ["a"] });
  one.next(1);
  one.taken();
  one.ask({ unsubscribe: ["a", "unknown"] });
  resources.set(made("a", "2"), 2);
  assert.equal(one.next(2), undefined);
  const all = client("cluster", resources);
  all.ask({ subscribe: ["*", "a"] }, 2);
  all.next(2);
  all.taken(2);
  all.ask({ unsubscribe: ["a"] }, 2);
  assert.equal(all.next(2), "a=2");
});

test("an old nonce is no answer, but what it subscribes to counts", () => {
  const { ask, next, subscription } = client("endpoints", filled("a", "b"));
  ask({ subscribe: ["a"] });
  next(1);
  assert.equal(ask({ nonce: "older", subscribe: ["b"] }), undefined);
  assert.equal(subscription.isWaiting, true);
  assert.equal(subscription.isAsked, true);
});

test("a refusal is told with what was refused, which is not sent again until it changes", () => {
  const resources = filled("a");
  const { ask, next, taken } = client("cluster", resources);
  ask({});
  next(1);
  const verdict = taken(1, "bad");
  assert.equal(verdict?.error, "bad");
  assert.deepEqual(
    verdict?.resources.map(({ name }) => name),
    ["a"],
  );
  assert.equal(next(1), undefined);
  resources.set(made("a", "2"), 2);
  assert.equal(next(2), "a=2");
});

test("what may still be referred to is not told to be gone before it may", () => {
  const resources = filled("a", "b");
  const { ask, next, taken, subscription } = client("cluster", resources);
  ask({});
  next(1);
  taken();
  resources.remove("a", 2);
  assert.equal(next(2, 1), undefined);
  assert.equal(subscription.isSettled(2), false);
  assert.equal(next(2, 2), "-a");
  taken(2);
  assert.equal(subscription.isSettled(2), true);
});

test("what comes back before it was told to be gone is sent as it is", () => {
  const resources = filled("a");
  const { ask, next, taken } = client("cluster", resources);
  ask({});
  next(1);
  taken();
  resources.remove("a", 2);
  assert.equal(next(2, 1), undefined);
  resources.set(made("a", "again"), 3);
  assert.equal(next(3, 1), "a=again");
});
