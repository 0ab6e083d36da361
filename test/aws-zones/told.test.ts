import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeProgress } from "@gatewright/aws";
import { planFaults } from "@gatewright/local-aws";
import type { Call } from "@gatewright/local-aws";
import { address, ask, comes, create, remove, zonesWorld } from "./zones-world.ts";

const changes = ({ operation }: Call): boolean => operation === "ChangeResourceRecordSets";

test("who is refused is told what is there, and is tried again a while later", async () => {
  const world = await zonesWorld();
  const theirs = address("a.example.com", "10.9.9.9");
  await world.until(() => ask(world.zones, create(theirs)).state === "pending");
  const mine = create(address("a.example.com"));
  const refused = await comes(world, "refused", () => ask(world.zones, mine));
  assert.deepEqual([refused.code, refused.found], ["InvalidChangeBatch", [theirs]]);
  assert.match(refused.message, /already exists$/);
  await world.pass(1_000);
  assert.equal(ask(world.zones, mine).state, "refused");
  await world.until(() => ask(world.zones, remove(theirs)).state === "pending");
  await world.until(() => ask(world.zones, mine).state === "inSync");
  await world.stop();
});

test("no rights: the order has failed, nothing else is said of it, and the same asked later is a new order", async () => {
  const world = await zonesWorld({ faults: planFaults([{ when: changes, fault: { kind: "deny" }, times: 1 }]) });
  const change = create(address("a.example.com"));
  const { error } = await comes(world, "failed", () => ask(world.zones, change));
  assert.equal(error.code, "AccessDenied");
  await world.until(() => ask(world.zones, change).state === "inSync");
  await world.stop();
});

test("a zone that is gone fails its orders, and those of others go on", async () => {
  const world = await zonesWorld();
  const lost = (): ChangeProgress =>
    world.zones.change({ zoneId: "Z9", changes: [create(address("a.example.org"))], owner: "b" });
  const { error } = await comes(world, "failed", lost);
  assert.equal(error.code, "NoSuchHostedZone");
  await world.until(() => ask(world.zones, create(address("a.example.com"))).state === "inSync");
  await world.stop();
});

test("trouble that lasts is told in the end", async () => {
  const world = await zonesWorld({
    faults: planFaults([{ when: changes, fault: { kind: "throttle" } }]),
    settings: { patienceMs: 30_000 },
  });
  const { error } = await comes(world, "failed", () => ask(world.zones, create(address("a.example.com"))));
  assert.equal(error.kind, "throttled");
  await world.stop();
});

test("made, unmade and made again in a moment: each in its turn, and the last word counts", async () => {
  const world = await zonesWorld();
  const made = create(address("a.example.com"));
  const unmade = remove(address("a.example.com"));
  for (const change of [made, unmade, made]) assert.equal(ask(world.zones, change).state, "waiting");
  await world.until(() => ask(world.zones, made).state === "inSync");
  assert.deepEqual(await world.records("Z1"), ["a.example.com. A 10.0.0.1"]);
  assert.equal(world.calls("ChangeResourceRecordSets", "OK").length, 3);
  await world.stop();
});

test("orders that want the same of a set do not chase each other", async () => {
  const world = await zonesWorld();
  const shared = create(address("a.example.com"));
  const more = create(address("b.example.com"));
  await world.until(() =>
    [ask(world.zones, shared), ask(world.zones, shared, more)].every(({ state }) => state === "inSync"),
  );
  await world.pass(10_000);
  assert.ok(world.calls("ChangeResourceRecordSets").length <= 3);
  await world.stop();
});

test("a lost answer is not told as in sync before Route 53 had the time for it", async () => {
  const world = await zonesWorld({
    faults: planFaults([{ when: changes, fault: { kind: "lose reply" }, times: 1, after: true }]),
  });
  const change = create(address("a.example.com"));
  const pending = await comes(world, "pending", () => ask(world.zones, change));
  assert.deepEqual(pending, { state: "pending", changeId: "" });
  const found = world.clock.monotonic();
  await world.until(() => ask(world.zones, change).state === "inSync");
  assert.ok(world.clock.monotonic() - found >= 59_000);
  await world.stop();
});

test("nothing is sent while the gate is closed, and what waited is sent when it opens", async () => {
  let open = false;
  const gate = (): void => {
    if (!open) throw new Error("not leading");
  };
  const world = await zonesWorld({ gate });
  const change = create(address("a.example.com"));
  ask(world.zones, change);
  await world.pass(20_000);
  assert.deepEqual([ask(world.zones, change).state, world.calls("ChangeResourceRecordSets").length], ["waiting", 0]);
  open = true;
  await world.until(() => ask(world.zones, change).state === "inSync");
  await world.stop();
});

test("an order of one run is not sent in the next", async () => {
  const world = await zonesWorld();
  ask(world.zones, create(address("a.example.com")));
  await world.stop();
  const again = new AbortController();
  const running = world.zones.run(again.signal);
  await world.pass(10_000);
  again.abort();
  await running;
  assert.deepEqual([world.calls("ChangeResourceRecordSets").length, world.clock.pending], [0, 0]);
});

test("a zone with much to change delays no other, and deletions come in their turn", async () => {
  const world = await zonesWorld({ zones: { Z1: "example.com", Z2: "example.org" } });
  const many = Array.from({ length: 6_000 }, (_, at) => create(address(`h${at}.example.com`)));
  for (const change of many) world.zones.change({ zoneId: "Z1", changes: [change], owner: "many" });
  await world.pass(5_000);
  const began = world.clock.monotonic();
  const small = [create(address("a.example.org"))];
  const ready = (): boolean => world.zones.change({ zoneId: "Z2", changes: small, owner: "small" }).state === "pending";
  await world.until(ready);
  assert.ok(world.clock.monotonic() - began < 12_000, String(world.clock.monotonic() - began));
  const throttled = world.local.journal.calls({ code: "Throttling" });
  assert.deepEqual(throttled, []);
  await world.stop();
});

test("too large for any batch is refused at once", async () => {
  const world = await zonesWorld();
  const record = {
    ...address("a.example.com"),
    values: Array.from({ length: 1_001 }, (_, at) => `10.0.${at >> 8}.${at & 255}`),
  };
  const progress = ask(world.zones, create(record));
  assert.equal(progress.state === "refused" && progress.code, "TooLarge");
  await world.stop();
});
