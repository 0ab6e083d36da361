import assert from "node:assert/strict";
import { test } from "node:test";
import type { Certificate } from "@gatewright/aws";
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
  assert.ok(await world.until(() => certificates.carrying("a.example.com") !== "unknown", 30));
  assert.deepEqual(certificates.carrying("a.example.com"), [seen()]);

  assert.deepEqual(certificates.remove(arn, "claim/a"), { state: "waiting" });
  assert.deepEqual(certificates.covering("a.example.com", "ISSUED"), []);
  assert.ok(await world.until(() => certificates.remove(arn, "claim/a").state === "gone"));
  assert.equal(certificates.get(arn), "absent");
  await stop();
  assert.equal(world.clock.pending, 0);
});

test("what a load balancer lets go of is removed once ACM has noticed, with few tries", async () => {
  const world = await acmWorld();
  const { certificates, stop } = world.start();
  const order = orderFor("one", ["a.example.com"]);
  const arnOf = (): string => {
    const progress = certificates.request(order);
    return progress.state === "requested" ? progress.arn : "";
  };
  assert.ok(await world.until(() => arnOf() !== ""));
  const arn = arnOf();
  const seen = (): Certificate | undefined => {
    const certificate = certificates.get(arn);
    return typeof certificate === "object" ? certificate : undefined;
  };
  assert.ok(await world.until(() => seen()?.validations?.every(({ record }) => record !== undefined) ?? false, 30));
  await world.prove(arn);
  assert.ok(await world.until(() => seen()?.status === "ISSUED", 200));

  const { elbv2, ec2 } = world.bystander;
  const { Subnets = [] } = await ec2.describeSubnets({});
  const { LoadBalancers } = await elbv2.createLoadBalancer({
    Name: "web",
    Subnets: Subnets.slice(0, 2).map(({ SubnetId = "" }) => SubnetId),
  });
  const { Listeners } = await elbv2.createListener({
    LoadBalancerArn: LoadBalancers?.[0]?.LoadBalancerArn ?? "",
    Protocol: "HTTPS",
    Port: 443,
    Certificates: [{ CertificateArn: arn }],
    DefaultActions: [{ Type: "fixed-response", FixedResponseConfig: { StatusCode: "404" } }],
  });
  assert.ok(await world.until(() => certificates.remove(arn, "x").state === "inUse", 60));
  await world.pass(60);
  assert.deepEqual(certificates.remove(arn, "x"), { state: "inUse" });
  const tries = world.calls().get("DeleteCertificate") ?? 0;
  await elbv2.deleteListener({ ListenerArn: Listeners?.[0]?.ListenerArn ?? "" });
  assert.ok(await world.until(() => certificates.remove(arn, "x").state === "gone", 300));
  assert.ok((world.calls().get("DeleteCertificate") ?? 0) <= tries + 2);
  await stop();
});
