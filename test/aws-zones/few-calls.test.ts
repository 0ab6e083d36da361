import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeProgress, RecordSet } from "@gatewright/aws";
import { planFaults } from "@gatewright/local-aws";
import { address, ask, create, zonesWorld } from "./zones-world.ts";

const validation = (at: number): RecordSet => ({
  name: `_0123456789abcdef0123456789abcdef.h${at}.example.com`,
  type: "CNAME",
  ttl: 300,
  values: ["_fedcba9876543210fedcba9876543210.abcdefghij.acm-validations.aws."],
});

test("a thousand hostnames with two changes each need no more than eight change requests, and AWS throttles none", async () => {
  const world = await zonesWorld();
  const orders = Array.from({ length: 1_000 }, (_, at) => [
    create(validation(at)),
    create(address(`h${at}.example.com`)),
  ]);
  for (const [at, changes] of orders.entries()) world.zones.change({ zoneId: "Z1", changes, owner: String(at) });
  const waiting = new Set(orders);
  await world.until(() => {
    for (const changes of waiting) {
      if (world.zones.change({ zoneId: "Z1", changes, owner: "x" }).state !== "inSync") return false;
      waiting.delete(changes);
    }
    return true;
  });
  assert.equal((await world.records("Z1")).length, 2_000);
  assert.ok(
    world.calls("ChangeResourceRecordSets").length <= 8,
    String(world.calls("ChangeResourceRecordSets").length),
  );
  const all = world.local.journal.calls({ service: "route53" });
  assert.ok(world.calls("GetChange").length <= 12, String(world.calls("GetChange").length));
  assert.deepEqual(
    all.filter(({ code }) => code !== "OK"),
    [],
  );
  await world.stop();
});

test("a lost answer to a large batch costs a few reads, not one for each record", async () => {
  const world = await zonesWorld({
    faults: planFaults([
      {
        when: ({ operation }) => operation === "ChangeResourceRecordSets",
        fault: { kind: "lose reply" },
        times: 1,
        after: true,
      },
    ]),
  });
  const changes = Array.from({ length: 900 }, (_, at) => create(address(`h${at}.example.com`)));
  for (const change of changes) ask(world.zones, change);
  await world.until(() => ask(world.zones, changes.at(-1)!).state === "inSync");
  assert.ok(changes.every((change) => ask(world.zones, change).state === "inSync"));
  assert.equal((await world.records("Z1")).length, 900);
  const reads = world.calls("ListResourceRecordSets").length;
  assert.ok(reads <= 4 + 4, String(reads));
  assert.equal(world.calls("ChangeResourceRecordSets").length, 2);
  await world.stop();
});

test("one order that Route 53 names costs two requests more, one that it does not name few, and none of the others waits for it", async () => {
  const world = await zonesWorld();
  const good = Array.from({ length: 500 }, (_, at) => create(address(`h${at}.example.com`)));
  const outside = create(address("h.example.org"));
  for (const change of [...good.slice(0, 250), outside, ...good.slice(250)]) ask(world.zones, change);
  await world.until(() => good.every((change) => ask(world.zones, change).state === "pending"));
  assert.equal(ask(world.zones, outside).state, "refused");
  assert.equal(world.calls("ChangeResourceRecordSets").length, 2);
  await world.stop();
});

test("a full zone: orders that find no room are told so with few calls, and deletions go through", async () => {
  const world = await zonesWorld({ limits: "off", rates: {} });
  const fill = Array.from({ length: 9_997 }, (_, at) => create(address(`f${at}.example.com`)));
  for (let at = 0; at < fill.length; at += 900) {
    await world.until(() => ask(world.zones, ...fill.slice(at, at + 900)).state === "pending");
  }
  world.local.journal.clear();
  const more = Array.from({ length: 500 }, (_, at) => create(address(`m${at}.example.com`)));
  const gone = { action: "delete", record: address("f17.example.com") } as const;
  for (const change of more) ask(world.zones, change);
  ask(world.zones, gone);
  const progress = (): ChangeProgress[] => more.map((change) => ask(world.zones, change));
  await world.until(() => progress().every(({ state }) => state !== "waiting"));
  await world.until(() => ask(world.zones, gone).state !== "waiting");
  const states = Object.groupBy(progress(), ({ state }) => state);
  // Room for one, and for one more by the deletion, if that came first.
  assert.ok((states.pending?.length ?? 0) >= 1, Object.keys(states).join());
  assert.match(states.refused?.[0]?.state === "refused" ? states.refused[0].message : "", /limit of 10000/);
  assert.ok(world.local.journal.calls().length < 60, String(world.local.journal.calls().length));
  await world.stop();
});
