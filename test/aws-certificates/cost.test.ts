import assert from "node:assert/strict";
import { test } from "node:test";
import { acmWorld, orderFor } from "./testing/acm-world.ts";

const sum = (calls: ReadonlyMap<string, number>): number =>
  [...calls].reduce((all, [operation, count]) => all + (operation === "GetResources" ? 0 : count), 0);

test("a certificate takes three calls at most until it is issued, 0.15 for each of twenty names, and none is throttled", async () => {
  const world = await acmWorld();
  const { certificates, stop } = world.start();
  const orders = Array.from({ length: 50 }, (_, i) =>
    orderFor(
      `t${i}`,
      Array.from({ length: 10 }, (_, j) => `n${j}.b${i}.example.com`),
    ),
  );
  const proven = new Set<string>();
  const issued = new Set<string>();
  const done = await world.until(async () => {
    for (const order of orders) {
      const progress = certificates.request(order);
      if (progress.state !== "requested") continue;
      const certificate = certificates.get(progress.arn);
      if (typeof certificate !== "object") continue;
      if (certificate.status === "ISSUED") issued.add(certificate.arn);
      const known = certificate.validations?.every(({ record }) => record !== undefined) ?? false;
      if (!known || proven.has(certificate.arn)) continue;
      proven.add(certificate.arn);
      await world.prove(certificate.arn);
    }
    return issued.size === orders.length;
  }, 900);
  assert.ok(done);
  const calls = world.calls();
  assert.ok(sum(calls) <= 150, JSON.stringify([...calls]));
  assert.deepEqual(
    world.local.journal.calls({ service: "acm" }).filter(({ code }) => code !== "OK"),
    [],
  );

  world.local.journal.clear();
  await world.pass(3_600);
  assert.ok(sum(world.calls()) <= 6, "six listings an hour, once there is nothing to wait for");
  await stop();
});
