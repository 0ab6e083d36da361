import assert from "node:assert/strict";
import { test } from "node:test";
import { address, ask, create, remove, swap, zonesWorld } from "./zones-world.ts";

test("orders of a moment go in one batch, and are in sync by one question about it", async () => {
  const world = await zonesWorld();
  const orders = Array.from({ length: 20 }, (_, at) => create(address(`h${at}.example.com`)));
  const states = (): string[] => orders.map((change) => ask(world.zones, change).state);
  assert.ok(states().every((state) => state === "waiting"));
  await world.until(() => states().every((state) => state === "pending"));
  await world.until(() => states().every((state) => state === "inSync"));
  assert.equal(world.calls("ChangeResourceRecordSets").length, 1);
  assert.equal((await world.records("Z1")).length, 20);
  assert.deepEqual(world.told.length, 40);
  await world.stop();
  assert.equal(world.clock.pending, 0);
});

test("what is made is unmade, and swapped in one step", async () => {
  const world = await zonesWorld();
  const old = address("a.example.com", "10.0.0.1");
  const next = address("a.example.com", "10.0.0.2");
  await world.until(() => ask(world.zones, create(old)).state === "pending");
  await world.until(() => ask(world.zones, swap(old, next)).state === "pending");
  assert.deepEqual(await world.records("Z1"), ["a.example.com. A 10.0.0.2"]);
  await world.until(() => ask(world.zones, remove(next)).state === "inSync");
  assert.deepEqual(await world.records("Z1"), []);
  await world.stop();
});
