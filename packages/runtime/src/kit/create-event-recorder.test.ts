import assert from "node:assert/strict";
import { test } from "node:test";
import { badRequest } from "@gatewright/kube";
import { core, events as api } from "@gatewright/kube/api";
import { nextTurn, seededRandom } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import { createEventRecorder } from "./create-event-recorder.ts";
import { createKitWorld } from "./testing/kit-world.ts";
import type { KitWorld } from "./testing/kit-world.ts";

const started = { type: "Normal", reason: "Started", note: "it runs" } as const;

/** What was told by the recorder; the server tells events of its own. */
async function toldBy(world: KitWorld) {
  const { items } = await world.client.for(api.Event).list({ namespace: "default" });
  return items.filter(({ reportingController }) => reportingController === "example.com/tester");
}

function recorder(world: KitWorld) {
  const { client, clock } = world;
  return createEventRecorder({ client, clock, random: seededRandom(9), reporter: "example.com/tester" });
}

test("equal events are one event with a count, and other ones are others", async () => {
  const world = await createKitWorld();
  const object = await world.client.for(core.ConfigMap).create({ metadata: { namespace: "default", name: "thing" } });
  const events = recorder(world);
  for (let i = 0; i < 5; i++) events.record(object, started);
  events.record(object, { type: "Warning", reason: "Failed", action: "Connect", note: "é".repeat(2000) });
  await events.flush(world.signal);
  const told = await toldBy(world);
  assert.equal(told.length, 2);
  const [failed, series] = [told.find(({ type }) => type === "Warning"), told.find(({ type }) => type === "Normal")];
  assert.equal(series?.series?.count, 5);
  assert.deepEqual(
    [series?.regarding?.uid, series?.reportingController, series?.action],
    [object.metadata.uid, "example.com/tester", "Started"],
  );
  assert.ok(Buffer.byteLength(failed?.note ?? "") <= 1024);

  world.clock.advance(7 * 60_000);
  events.record(object, started);
  await events.flush(world.signal);
  assert.equal((await toldBy(world)).length, 3);
  await world.close();
});

test("an object gets 25 events in a row and then one every five minutes; one without a namespace tells in default", async () => {
  const world = await createKitWorld();
  const object = await world.client.for(core.Namespace).create({ metadata: { name: "thing" } });
  const events = recorder(world);
  for (let i = 0; i < 40; i++) events.record(object, { ...started, note: `time ${i}` });
  await events.flush(world.signal);
  const count = async (): Promise<number> => (await toldBy(world)).length;
  assert.equal(await count(), 25);
  world.clock.advance(5 * 60_000);
  for (let i = 0; i < 2; i++) events.record(object, { ...started, note: `later ${i}` });
  await events.flush(world.signal);
  assert.equal(await count(), 26);
  await world.close();
});

test("a server that refuses or is away never reaches the caller, and the event is told once it is back", async () => {
  const world = await createKitWorld();
  const object = await world.client.for(core.ConfigMap).create({ metadata: { namespace: "default", name: "thing" } });
  const events = recorder(world);
  world.intercept = () => Promise.reject(new Error("away"));
  events.record(object, started);
  const given = new AbortController();
  given.abort();
  await events.flush(given.signal);
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  world.intercept = undefined;
  world.clock.advance(1000);
  await events.flush(world.signal);
  assert.equal((await toldBy(world)).length, 1);
  events.record({ ...object, metadata: { namespace: "nowhere", name: "x" } }, started);
  await events.flush(world.signal);
  await world.close();
});

/** Lets everything happen that waits for no time to pass. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

test("an event that could not be written is told when it happens again, and tried five times a minute at most", async () => {
  const world = await createKitWorld();
  const object = await world.client.for(core.ConfigMap).create({ metadata: { namespace: "default", name: "thing" } });
  const events = recorder(world);
  world.intercept = () => Promise.reject(new Error("away"));
  world.requests.length = 0;
  for (let second = 0; second < 240; second++) {
    events.record(object, started);
    await settle();
    world.clock.advance(1000);
  }
  assert.ok(
    world.requests.length > 5 && world.requests.length <= 20,
    `${world.requests.length} requests in four minutes`,
  );
  world.intercept = undefined;
  for (let second = 0; second < 90; second++) {
    world.clock.advance(1000);
    await settle();
  }
  assert.equal((await toldBy(world)).length, 1);
  const { series } = (await toldBy(world))[0]!;
  assert.equal(series?.count, 240);
  await world.close();
});

test("an event that the server refuses is asked for once a minute, however often it happens", async () => {
  const world = await createKitWorld();
  const events = recorder(world);
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "nowhere", name: "thing", uid: "u" } };
  for (let second = 0; second < 180; second++) {
    events.record(object, started);
    await settle();
    world.clock.advance(1000);
  }
  assert.equal(world.requests.length, 3);
  await world.close();
});

test("an event that was dropped since too many waited is told when it happens again", async () => {
  const world = await createKitWorld();
  const object = await world.client.for(core.ConfigMap).create({ metadata: { namespace: "default", name: "thing" } });
  const events = recorder(world);
  world.intercept = () => Promise.reject(badRequest("not these"));
  for (let i = 0; i < 1000; i++) events.record({ ...object, metadata: { name: `other-${i}` } }, started);
  events.record(object, started);
  for (let second = 0; second < 30; second++) {
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    world.clock.advance(1000);
  }
  world.intercept = undefined;
  events.record(object, started);
  await settle();
  assert.deepEqual(
    (await toldBy(world)).map(({ regarding, series }) => [regarding?.name, series?.count]),
    [["thing", 2]],
  );
  await world.close();
});

test("events in a namespace that is going or gone are not worth a warning", async () => {
  const world = await createKitWorld();
  const namespaces = world.client.for(core.Namespace);
  await namespaces.create({ metadata: { name: "going" }, spec: { finalizers: ["kubernetes"] } });
  const object = await world.client.for(core.ConfigMap).create({
    metadata: { namespace: "going", name: "thing", finalizers: ["example.com/stay"] },
  });
  await namespaces.delete({ name: "going" });
  const warned: string[] = [];
  const { client, clock } = world;
  const log = { ...quietLog, warn: (message: string) => void warned.push(message) };
  const events = createEventRecorder({ client, clock, random: seededRandom(9), reporter: "example.com/tester", log });
  events.record(object, started);
  events.record({ ...object, metadata: { ...object.metadata, namespace: "gone" } }, started);
  await events.flush(world.signal);
  assert.deepEqual(warned, []);
  await world.close();
});
