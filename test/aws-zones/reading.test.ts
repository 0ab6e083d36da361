import assert from "node:assert/strict";
import { test } from "node:test";
import { address, ask, create, remove, swap, zonesWorld } from "./zones-world.ts";

const NEVER = new AbortController().signal;

test("a watched zone is read as a whole, and own changes are in the reading at once", async () => {
  const world = await zonesWorld();
  const read: string[] = [];
  world.zones.onReading((zoneId) => void read.push(zoneId));
  const old = address("a.example.com", "10.0.0.1");
  await world.until(() => ask(world.zones, create(old)).state === "inSync");
  world.zones.watch("Z1");
  assert.equal(world.zones.reading("Z1"), undefined);
  await world.until(() => world.zones.reading("Z1") !== undefined);
  assert.deepEqual(read, ["Z1"]);
  assert.deepEqual(world.zones.reading("Z1")?.record("A.example.com.", "A"), old);
  assert.equal(world.zones.reading("Z1")?.record("a.example.com", "AAAA"), undefined);
  const next = address("a.example.com", "10.0.0.2");
  await world.until(() => ask(world.zones, swap(old, next)).state === "pending");
  assert.deepEqual(world.zones.reading("Z1")?.record("a.example.com", "A"), next);
  await world.stop();
});

test("what others took away is found by a reading, and the same order is made anew", async () => {
  const world = await zonesWorld();
  world.zones.watch("Z1");
  const record = address("a.example.com");
  await world.until(() => ask(world.zones, create(record)).state === "inSync");
  const ChangeBatch = {
    Changes: [
      {
        Action: "DELETE",
        ResourceRecordSet: { Name: "a.example.com", Type: "A", TTL: 60, ResourceRecords: [{ Value: "10.0.0.1" }] },
      },
    ],
  };
  await world.passing(world.aws.route53.changeResourceRecordSets({ HostedZoneId: "Z1", ChangeBatch }));
  assert.equal(ask(world.zones, create(record)).state, "inSync");
  await world.pass(10_000);
  const before = world.zones.reading("Z1")?.at ?? 0;
  world.zones.refresh("Z1");
  await world.until(() => (world.zones.reading("Z1")?.at ?? 0) > before);
  assert.equal(world.zones.reading("Z1")?.record("a.example.com", "A"), undefined);
  assert.equal(ask(world.zones, create(record)).state, "waiting");
  await world.until(() => ask(world.zones, create(record)).state === "inSync");
  assert.equal((await world.records("Z1")).length, 1);
  await world.stop();
});

test("a look at a name tells all of it, and shows what others changed", async () => {
  const world = await zonesWorld();
  const weighted = (setIdentifier: string) => ({ ...address("*.example.com"), setIdentifier, weight: 1 });
  const sets = Array.from({ length: 12 }, (_, at) => weighted(`s${at + 10}`));
  await world.until(() => ask(world.zones, ...sets.map(create)).state === "inSync");
  const found = await world.passing(world.zones.lookup("/hostedzone/Z1", "*.Example.com.", NEVER));
  assert.deepEqual(found, sets);
  assert.deepEqual(await world.passing(world.zones.lookup("Z1", "example.com.evil.org", NEVER)), []);
  await world.until(() => ask(world.zones, remove(sets[3]!)).state === "inSync");
  await world.stop();
});

test("a zone is asked for once, whoever asks; that there is none is only believed by its code", async () => {
  const world = await zonesWorld();
  const asked = await world.passing(Promise.all([1, 2, 3].map(() => world.zones.zone("Z1", NEVER))));
  assert.equal(world.calls("GetHostedZone").length, 1);
  const [zone] = asked;
  assert.ok(zone !== undefined && zone !== "absent");
  assert.deepEqual([zone.id, zone.name, zone.private, zone.nameServers.length], ["Z1", "example.com", false, 4]);
  assert.equal(await world.passing(world.zones.zone("Z9", NEVER)), "absent");
  await world.stop();
});

test("at rest, reading takes less than a hundredth of the account's requests, however many zones", async () => {
  const zones = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Z${at}`, `z${at}.com`]));
  const world = await zonesWorld({ zones });
  for (const id of Object.keys(zones)) world.zones.watch(id);
  await world.until(() => Object.keys(zones).every((id) => world.zones.reading(id) !== undefined));
  await world.pass(60_000);
  world.local.journal.clear();
  const hour = 3_600_000;
  for (let passed = 0; passed < hour; passed += 10_000) {
    await world.pass(200);
    world.clock.advance(9_800);
  }
  const calls = world.local.journal.calls().length;
  assert.ok(calls > 100 && calls <= 0.01 * 10 * 3_600, String(calls));
  world.zones.unwatch("Z1");
  assert.equal(world.zones.reading("Z1"), undefined);
  await world.stop();
});
