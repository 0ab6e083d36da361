import assert from "node:assert/strict";
import { test } from "node:test";
import { core, events as api } from "@gatewright/kube/api";
import { seededRandom } from "@gatewright/ports";
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
