import assert from "node:assert/strict";
import { test } from "node:test";
import { NOT_FOUND, certificateArn, createBench } from "./testing/bench.ts";

test("a load balancer is provisioning at first and active later, with the name and zone of its region", async () => {
  const { call, clock, elb } = createBench();
  const { LoadBalancers } = await call("CreateLoadBalancer", { Name: "web", Subnets: ["subnet-a", "subnet-b"] });
  const [made] = LoadBalancers ?? [];
  assert.match(
    made?.LoadBalancerArn ?? "",
    /^arn:aws:elasticloadbalancing:us-east-1:000000000000:loadbalancer\/app\/web\/[0-9a-f]{16}$/,
  );
  assert.match(made?.DNSName ?? "", /^web-\d{10}\.us-east-1\.elb\.amazonaws\.com$/);
  assert.equal(made?.CanonicalHostedZoneId, "Z35SXDOTRQ7X7K");
  assert.equal(made?.State?.Code, "provisioning");
  clock.advance(150_000);
  const again = await call("DescribeLoadBalancers", { Names: ["web"] });
  assert.equal(again.LoadBalancers?.[0]?.State?.Code, "active");
  assert.deepEqual(
    elb.names.addressesOf(`dualstack.${made?.DNSName?.toUpperCase()}.`.replace("DUALSTACK", "dualstack")),
    {
      canonicalZoneId: "Z35SXDOTRQ7X7K",
      ipv4: ["127.0.1.1"],
      ipv6: [],
    },
  );
});

test("deleting a load balancer takes its listeners and rules along and frees its certificates", async () => {
  const { call, elb, loadBalancer } = createBench();
  const arn = await loadBalancer();
  const cert = certificateArn("a");
  const { Listeners } = await call("CreateListener", {
    LoadBalancerArn: arn,
    Protocol: "HTTPS",
    Port: 443,
    Certificates: [{ CertificateArn: cert }],
    DefaultActions: [NOT_FOUND],
  });
  const ListenerArn = Listeners?.[0]?.ListenerArn ?? "";
  await call("CreateRule", {
    ListenerArn,
    Priority: 1,
    Conditions: [{ Field: "host-header", Values: ["a.example.com"] }],
    Actions: [NOT_FOUND],
  });
  assert.deepEqual(elb.certificateUse.usersOf(cert), [arn]);
  await call("DeleteLoadBalancer", { LoadBalancerArn: arn });
  assert.deepEqual(elb.certificateUse.usersOf(cert), []);
  assert.deepEqual([elb.store.rules.list(), elb.store.listeners.list()], [[], []]);
  await assert.rejects(call("DescribeListeners", { LoadBalancerArn: arn }), { code: "LoadBalancerNotFound" });
  await call("DeleteLoadBalancer", { LoadBalancerArn: arn });
});
