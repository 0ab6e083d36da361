import assert from "node:assert/strict";
import { test } from "node:test";
import { createBench } from "./testing/bench.ts";

test("the same load balancer asked for twice is one; with other settings it is refused", async () => {
  const bench = createBench();
  const arn = await bench.loadBalancer();
  assert.equal(await bench.loadBalancer(), arn);
  await assert.rejects(bench.call("CreateLoadBalancer", { Name: "web", Subnets: ["subnet-a", "subnet-c"] }), {
    code: "DuplicateLoadBalancerName",
  });
  await bench.call("CreateLoadBalancer", { Name: "web", Subnets: ["subnet-a", "subnet-c"] }, "eu-west-1");
});

test("names, subnets and schemes are held to the rules", async () => {
  const { call } = createBench();
  const make = (more: object): Promise<unknown> =>
    call("CreateLoadBalancer", { Name: "ok", Subnets: ["subnet-a", "subnet-b"], ...more });
  for (const Name of ["", "-a", "a-", "a_b", "internal-a", "x".repeat(33)]) {
    await assert.rejects(make({ Name }), { code: "ValidationError" }, Name);
  }
  await assert.rejects(make({ Subnets: ["subnet-a"] }), { code: "ValidationError" });
  await assert.rejects(make({ Subnets: ["a", "b"] }), { code: "SubnetNotFound" });
  await assert.rejects(make({ Scheme: "public" }), { code: "InvalidScheme" });
  await assert.rejects(make({ IpAddressType: "ipv6" }), { code: "ValidationError" });
});

test("subnets that are known lend their zone and VPC", async () => {
  const { call } = createBench({
    subnetOf: (_place, id) => ({ zone: id.endsWith("a") ? "us-east-1c" : "us-east-1d", vpcId: "vpc-7" }),
  });
  const { LoadBalancers } = await call("CreateLoadBalancer", { Name: "web", Subnets: ["subnet-a", "subnet-b"] });
  assert.equal(LoadBalancers?.[0]?.VpcId, "vpc-7");
  assert.deepEqual(
    LoadBalancers?.[0]?.AvailabilityZones?.map(({ ZoneName }) => ZoneName),
    ["us-east-1c", "us-east-1d"],
  );
  await assert.rejects(call("CreateLoadBalancer", { Name: "web2", Subnets: ["subnet-a", "subnet-xa"] }), {
    code: "InvalidConfigurationRequest",
  });
});

test("each has an address of its own, which is free again when it is gone", async () => {
  const { call, elb, loadBalancer } = createBench();
  const address = async (name: string): Promise<unknown> => {
    await loadBalancer(name);
    const { LoadBalancers } = await call("DescribeLoadBalancers", { Names: [name] });
    return elb.names.addressesOf(LoadBalancers?.[0]?.DNSName ?? "")?.ipv4[0];
  };
  assert.deepEqual(
    [await address("a"), await address("b"), await address("c")],
    ["127.0.1.1", "127.0.1.2", "127.0.1.3"],
  );
  await call("DeleteLoadBalancer", { LoadBalancerArn: await loadBalancer("b") });
  assert.equal(await address("d"), "127.0.1.2");
  assert.equal(elb.names.addressesOf("nobody.us-east-1.elb.amazonaws.com"), undefined);
});

test("the 51st is too many, and pages show all of them once", async () => {
  const { call, loadBalancer } = createBench();
  for (let index = 0; index < 50; index++) await loadBalancer(`lb${index}`);
  await assert.rejects(loadBalancer("lb50"), { code: "TooManyLoadBalancers" });
  const seen: unknown[] = [];
  let marker: string | undefined;
  do {
    const { LoadBalancers, NextMarker } = await call("DescribeLoadBalancers", { PageSize: 7, Marker: marker });
    seen.push(...(LoadBalancers ?? []).map(({ LoadBalancerName }) => LoadBalancerName));
    marker = NextMarker;
  } while (marker !== undefined);
  assert.deepEqual([seen.length, new Set(seen).size], [50, 50]);
});

test("attributes have defaults, take what they may, and protect from deletion", async () => {
  const { call, loadBalancer } = createBench();
  const LoadBalancerArn = await loadBalancer();
  const { Attributes } = await call("DescribeLoadBalancerAttributes", { LoadBalancerArn });
  assert.equal(Attributes?.find(({ Key }) => Key === "idle_timeout.timeout_seconds")?.Value, "60");
  const set = (Key: string, Value: string): Promise<unknown> =>
    call("ModifyLoadBalancerAttributes", { LoadBalancerArn, Attributes: [{ Key, Value }] });
  for (const [key, value] of [
    ["__proto__", "x"],
    ["idle_timeout.timeout_seconds", "0"],
    ["routing.http2.enabled", "yes"],
    ["access_logs.s3.enabled", "true"],
  ] as const) {
    await assert.rejects(set(key, value), { code: "ValidationError" }, key);
  }
  await set("deletion_protection.enabled", "true");
  await assert.rejects(call("DeleteLoadBalancer", { LoadBalancerArn }), { code: "OperationNotPermitted" });
  await set("deletion_protection.enabled", "false");
  await call("DeleteLoadBalancer", { LoadBalancerArn });
});

test("tags are kept for every kind of resource and go with it", async () => {
  const { call, elb, loadBalancer } = createBench();
  const arn = await loadBalancer();
  await call("AddTags", {
    ResourceArns: [arn],
    Tags: [
      { Key: "team", Value: "red" },
      { Key: "__proto__", Value: "x" },
    ],
  });
  await assert.rejects(call("AddTags", { ResourceArns: [arn], Tags: [{ Key: "a" }, { Key: "a" }] }), {
    code: "DuplicateTagKeys",
  });
  await assert.rejects(call("AddTags", { ResourceArns: [`${arn}0`], Tags: [{ Key: "a" }] }), {
    code: "LoadBalancerNotFound",
  });
  await assert.rejects(
    call("AddTags", { ResourceArns: [arn], Tags: Array.from({ length: 51 }, (_, index) => ({ Key: `k${index}` })) }),
    { code: "TooManyTags" },
  );
  await call("RemoveTags", { ResourceArns: [arn], TagKeys: ["__proto__"] });
  assert.deepEqual((await call("DescribeTags", { ResourceArns: [arn] })).TagDescriptions, [
    { ResourceArn: arn, Tags: [{ Key: "team", Value: "red" }] },
  ]);
  assert.deepEqual([...elb.tagged.list("000000000000", "us-east-1")], [{ arn, tags: new Map([["team", "red"]]) }]);
  assert.equal(await elb.tagged.tag(`${arn}0`, new Map()), false);
  await call("DeleteLoadBalancer", { LoadBalancerArn: arn });
  assert.deepEqual([...elb.tagged.list("000000000000", "us-east-1")], []);
});

test("limits and policies are told", async () => {
  const { call } = createBench({ quotas: { "rules-per-application-load-balancer": 7 } });
  const { Limits } = await call("DescribeAccountLimits", {});
  assert.equal(Limits?.find(({ Name }) => Name === "rules-per-application-load-balancer")?.Max, "7");
  assert.equal(Limits?.find(({ Name }) => Name === "certificates-per-application-load-balancer")?.Max, "25");
  const { SslPolicies } = await call("DescribeSSLPolicies", { Names: ["ELBSecurityPolicy-TLS13-1-3-2021-06"] });
  assert.deepEqual(SslPolicies?.[0]?.SslProtocols, ["TLSv1.3"]);
  await assert.rejects(call("DescribeSSLPolicies", { Names: ["none"] }), { code: "SSLPolicyNotFound" });
});
