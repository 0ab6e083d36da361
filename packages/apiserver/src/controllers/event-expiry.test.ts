import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime } from "@gatewright/kube";
import type { GroupResource } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { startEventExpiry } from "./event-expiry.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { fakeResource } from "./testing/fake-resource.ts";

const EVENTS: GroupResource = { group: "", resource: "events" };
const MINUTE = 60_000;

function world() {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [fakeResource("Event")]);
  const make = (name: string, lastTimestamp?: string) => {
    const metadata = { name, namespace: "ns" };
    return cluster.create(EVENTS, {
      apiVersion: "v1",
      kind: "Event",
      metadata,
      ...(lastTimestamp && { lastTimestamp }),
    });
  };
  const names = (): string[] => [...cluster.list(EVENTS)].map((o) => o.metadata.name ?? "");
  return { clock, cluster, make, names };
}

test("an event ends an hour after it was last written", async () => {
  const { clock, cluster, make, names } = world();
  const expiry = startEventExpiry(cluster, { clock, report: () => {} });
  await make("old");
  clock.advance(30 * MINUTE);
  await make("young");
  await make("renewed");
  clock.advance(20 * MINUTE);
  await cluster.edit(EVENTS, "ns", "renewed", (o) => void (o.count = 2));
  clock.advance(10 * MINUTE);
  await expiry.idle();
  assert.deepEqual(names(), ["renewed", "young"]);
  clock.advance(30 * MINUTE);
  await expiry.idle();
  assert.deepEqual(names(), ["renewed"]);
  clock.advance(20 * MINUTE);
  await expiry.idle();
  assert.deepEqual(names(), []);
  await expiry.stop();
});

test("events from before the start end when they would have", async () => {
  const { clock, cluster, make, names } = world();
  await make("recent", formatTime(clock.now() - 10 * MINUTE));
  await make("a-long-gone", formatTime(clock.now() - 120 * MINUTE));
  await cluster.edit(
    EVENTS,
    "ns",
    "a-long-gone",
    (o) => void (o.metadata.creationTimestamp = formatTime(clock.now() - 120 * MINUTE)),
  );
  await cluster.edit(
    EVENTS,
    "ns",
    "recent",
    (o) => void (o.metadata.creationTimestamp = formatTime(clock.now() - 10 * MINUTE)),
  );
  const expiry = startEventExpiry(cluster, { clock, report: () => {} });
  clock.advance(1);
  await expiry.idle();
  assert.deepEqual(names(), ["recent"]);
  clock.advance(50 * MINUTE);
  await expiry.idle();
  assert.deepEqual(names(), []);
});
