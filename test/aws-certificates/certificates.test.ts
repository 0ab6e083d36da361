import assert from "node:assert/strict";
import { test } from "node:test";
import { acmWorld, orderFor } from "./testing/acm-world.ts";

test("a certificate is requested once, its records are told, it is issued, and it goes", async () => {
  const world = await acmWorld();
  const { certificates, told, stop } = world.start();
  const order = orderFor("one", ["a.example.com", "*.a.example.com"], "claim/a");
  assert.deepEqual(certificates.request(order), { state: "waiting" });
  assert.equal(certificates.covering("a.example.com", "ISSUED"), "unknown");
  assert.ok(await world.until(() => certificates.request(order).state === "requested"));
  const requested = certificates.request(order);
  assert.ok(requested.state === "requested");
  const { arn } = requested;
  assert.ok(told.some((each) => each.arn === arn && each.owners.includes("claim/a")));

  const seen = () => {
    const certificate = certificates.get(arn);
    assert.ok(typeof certificate === "object", String(certificate));
    return certificate;
  };
  assert.ok(await world.until(() => seen().validations?.every(({ record }) => record !== undefined) ?? false, 20));
  assert.deepEqual(
    certificates.covering("a.example.com", "PENDING_VALIDATION") !== "unknown" &&
      certificates.covering("x.a.example.com", "PENDING_VALIDATION"),
    [seen()],
  );
  await world.prove(arn);
  told.length = 0;
  assert.ok(await world.until(() => seen().status === "ISSUED", 120));
  assert.ok(told.some((each) => each.arn === arn && each.owners.includes("claim/a")));
  assert.deepEqual(certificates.own(), [seen()]);
  assert.deepEqual(certificates.carrying("a.example.com"), [seen()]);

  assert.deepEqual(certificates.remove(arn, "claim/a"), { state: "waiting" });
  assert.deepEqual(certificates.covering("a.example.com", "ISSUED"), []);
  assert.ok(await world.until(() => certificates.remove(arn, "claim/a").state === "gone"));
  assert.equal(certificates.get(arn), "absent");
  await stop();
  assert.equal(world.clock.pending, 0);
});
