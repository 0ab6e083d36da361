import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { PassingTime } from "@gatewright/ports";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { StreamWorld } from "./testing/stream-world.ts";

const leads = { match: [{ uri: { prefix: "/" } }], directResponse: { status: 200 } };
const route = (name: string, status = 200): Deliverable =>
  deliverable(name, { spec: { ...leads, directResponse: { status } } });
const backend = (name: string): Deliverable =>
  deliverable(name, { kind: "Backend", spec: { hosts: [{ address: "10.0.0.1", port: 80, weight: 1 }] } });

async function world(context: TestContext, ...deliverables: readonly Deliverable[]): Promise<StreamWorld> {
  const made = new StreamWorld();
  context.after(() => made.end());
  made.put(...deliverables);
  made.catalogue.completed();
  await made.start();
  return made;
}

test("a gateway gets all there is, then each change by itself, and what it acknowledged is known", async (context) => {
  const all = await world(context, route("a"), backend("one"));
  const gateway = all.gateway();
  await all.settled();
  assert.deepEqual(gateway.state.names, ["API_ROUTE shop/a", "BACKEND shop/one"]);
  assert.deepEqual(gateway.state.spec("API_ROUTE shop/a")?.["name"], "shop.a");
  all.put(route("a", 404), route("b"));
  assert.deepEqual(all.states(route("b")), ["pending"]);
  await all.settled();
  assert.deepEqual(all.states(route("b")), ["applied"]);
  all.remove(route("a"), backend("one"), route("b"));
  await all.settled();
  assert.deepEqual(gateway.state.names, []);
  assert.deepEqual([gateway.fullSyncs, gateway.updates, gateway.ignored], [1, 6, 0]);
  assert.deepEqual(gateway.state.violations, []);
});

test("nothing is sent to a gateway that comes back and has all, whether or not the operator is another one", async (context) => {
  const all = await world(context, route("a"), route("b"));
  const gateway = all.gateway();
  await all.settled();
  await all.restart([route("b"), route("a")]);
  await all.settled();
  assert.deepEqual([gateway.registrations, gateway.updates], [2, 1]);
  assert.deepEqual(gateway.ends, ["UNAVAILABLE: the operator ends; another one takes over"]);
  all.put(route("c"));
  await all.settled();
  assert.deepEqual([gateway.updates, gateway.ignored], [2, 0]);
  assert.equal(gateway.state.names.length, 3);
  assert.deepEqual(gateway.state.violations, []);
});

test("a gateway that comes back to the same operator is sent what changed meanwhile, one by one", async (context) => {
  const all = await world(context, route("a"), route("b"));
  const gateway = all.gateway();
  await all.settled();
  gateway.drop();
  await all.time.until("the loss is seen", () => all.connections.all().length === 0);
  all.remove(route("a"));
  all.put(route("b", 404));
  await all.settled();
  assert.deepEqual(gateway.state.names, ["API_ROUTE shop/b"]);
  assert.deepEqual([gateway.fullSyncs, gateway.updates], [1, 3]);
  assert.deepEqual(gateway.state.violations, []);
});

test("what a new operator does not have goes when gateways believe it, and nothing counts as applied before", async (context) => {
  const all = await world(context, route("a"), route("b"));
  const gateway = all.gateway();
  await all.settled();
  await all.restart([route("b", 404)]);
  await all.time.until("a smaller snapshot was ignored", () => gateway.ignored === 1);
  assert.deepEqual(gateway.state.names.length, 2);
  assert.deepEqual(all.states(route("b", 404)), ["pending"]);
  await all.settled(1, 100);
  assert.deepEqual(gateway.state.names, ["API_ROUTE shop/b"]);
  assert.equal(gateway.fullSyncs, 3);
  await all.restart([]);
  await all.settled(1, 100);
  await new PassingTime(all.clock, { turnMs: 100 }).until("all is gone", () => gateway.state.names.length === 0);
  assert.deepEqual(gateway.state.violations, []);
});

test("what does not fit into one message comes in several", async (context) => {
  const large = Array.from({ length: 12 }, (_, n) =>
    deliverable(`large-${n}`, { spec: { ...leads, directResponse: { status: 200, body: "x".repeat(700_000) } } }),
  );
  const tooLarge = deliverable("too-large", { spec: { directResponse: { status: 200, body: "x".repeat(4_200_000) } } });
  const all = await world(context, ...large, tooLarge);
  const gateway = all.gateway();
  await all.settled();
  assert.equal(gateway.state.names.length, 12);
  assert.equal(gateway.fullSyncs, 1);
  assert.ok(gateway.updates > 1);
  assert.deepEqual(all.states(tooLarge), ["refused"]);
  assert.deepEqual(gateway.state.violations, []);
});

test("a gateway gets only what is in its namespaces", async (context) => {
  const other = deliverable("x", { namespace: "bank", spec: leads });
  const all = await world(context, route("a"), other);
  const gateway = all.gateway("gw", { namespaces: ["bank"] });
  await all.settled();
  assert.deepEqual(gateway.state.names, ["API_ROUTE bank/x"]);
  all.put(route("b"));
  await all.settled();
  assert.equal(gateway.updates, 1);
  assert.deepEqual(all.states(route("a")), []);
});

test("a gateway that is not heard for three heartbeats is given up, and may come back", async (context) => {
  const all = await world(context, route("a"));
  const gateway = all.gateway();
  await all.settled();
  await all.time.until("a heartbeat", () =>
    gateway.heartbeat().then(
      ({ acknowledged }) => acknowledged,
      () => false,
    ),
  );
  for (let second = 0; second < 130 && gateway.ends.length === 0; second++) await all.time.turn(1000);
  assert.deepEqual(gateway.ends, ["UNAVAILABLE: not heard for three heartbeats"]);
  await all.settled();
  assert.deepEqual([gateway.registrations, gateway.updates], [2, 1]);
  assert.deepEqual(gateway.state.violations, []);
});

test("who is slow gets the newest state, not every one between", async (context) => {
  const all = await world(context, route("a"));
  let letGo = (): void => {};
  let slow = false;
  const gateway = all.gateway("gw", {
    hesitate: () => (slow ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve()),
  });
  await all.settled();
  slow = true;
  all.put(route("a", 201));
  await all.time.until("the first is on its way", () => gateway.updates === 2);
  for (let status = 202; status < 300; status++) {
    all.put(route("a", status));
    await all.time.turn(10);
  }
  slow = false;
  letGo();
  await all.settled();
  assert.equal(gateway.updates, 3);
  assert.deepEqual(gateway.state.spec("API_ROUTE shop/a")?.["directResponse"], { status: 299 });
});
