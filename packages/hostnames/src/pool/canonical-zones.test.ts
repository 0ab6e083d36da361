import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { createCanonicalZones } from "./canonical-zones.ts";

const MARS = "k8s-edge-1.mars-1.elb.amazonaws.com";

test("zones of known regions take no call; for others AWS is asked once, again when it failed, and whoever waits is told", async () => {
  const clock = new ManualClock();
  let calls = 0;
  const zones = createCanonicalZones({
    clock,
    elbv2: {
      async *allLoadBalancers() {
        if (++calls === 1) throw new Error("throttled");
        yield { DNSName: "other.mars-1.elb.amazonaws.com", CanonicalHostedZoneId: "ZOTHER" };
        if (calls > 2) yield { DNSName: MARS.replace("k8s", "K8S"), CanonicalHostedZoneId: "ZMARS" };
      },
    },
  });
  const told: string[] = [];
  zones.onChange((name) => told.push(name));
  const stop = new AbortController();
  const running = zones.run(stop.signal);
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns++) await nextTurn();
  };
  assert.equal(zones.zoneOf("x.eu-west-1.elb.amazonaws.com"), "Z32O12XQLNTSW2");
  await settle();
  assert.equal(calls, 0);
  for (const expected of [1, 2, 3]) {
    assert.equal(zones.zoneOf(MARS), undefined);
    await settle();
    assert.equal(calls, expected);
    if (expected < 3) clock.advance(30_000);
  }
  assert.deepEqual([zones.zoneOf(MARS), told], ["ZMARS", [MARS]]);
  clock.advance(300_000);
  await settle();
  assert.equal(calls, 3);
  stop.abort();
  await running;
  assert.equal(clock.pending, 0);
});
