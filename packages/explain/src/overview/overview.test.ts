import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryReader } from "../testing/memory-reader.ts";
import * as o from "../testing/objects.ts";
import { overview } from "./overview.ts";

test("what is wrong comes first in each group, and everything is counted", async () => {
  const good = o.request(o.SERVING, "a-good");
  const bad = o.request({ Ready: { reason: "ZoneNotFound", message: "no zone" } }, "z-bad");
  const waiting = o.request({ Ready: { reason: "PendingIssuance" } }, "m-waiting");
  const all = await overview(memoryReader([good, waiting, bad, o.gateway(), o.connected()]), { now: o.NOW });
  const hostnames = all.groups.find(({ id }) => id === "hostnames");
  assert.deepEqual(
    hostnames?.rows.map(({ subject, state, reason }) => `${subject.name} ${state} ${reason}`),
    ["z-bad broken ZoneNotFound", "m-waiting waiting PendingIssuance", "a-good ok Serving"],
  );
  assert.deepEqual(all.counts, { broken: 1, unknown: 0, waiting: 1, warning: 0, ok: 3 });
});

test("an Application is as bad as the worse of its pods and its hostname", async () => {
  const told = { Ready: o.good("ReconciliationSucceeded"), Exposed: { reason: "ClaimedByAnother", message: "held" } };
  const app = o.application(told, { expose: { hostname: "shop.example.com" } });
  const { groups } = await overview(memoryReader([app]), { now: o.NOW });
  assert.deepEqual(
    groups[0]?.rows.map(({ state, reason }) => [state, reason]),
    [["broken", "ClaimedByAnother"]],
  );
});

test("kinds that may not be read are told, and the rest is there", async () => {
  const reader = memoryReader([o.request(o.SERVING)], ["applications"]);
  const { groups } = await overview(reader, { now: o.NOW, namespace: "shop" });
  assert.deepEqual(
    groups.map(({ id, rows, unread }) => [id, rows.length, unread.length]),
    [
      ["applications", 0, 1],
      ["hostnames", 1, 0],
      ["routes", 0, 0],
      ["aws", 0, 0],
      ["gateways", 0, 0],
    ],
  );
});
