import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Call } from "../call.ts";
import { bucketsOf } from "./buckets-of.ts";
import { Limiter } from "./limiter.ts";
import { AWS_LIMITS } from "./service-limits.ts";
import type { LimitTable } from "./service-limits.ts";

function call(service: Call["service"], operation: string, change: Partial<Call> = {}): Call {
  return {
    service,
    operation,
    account: "000000000000",
    region: "eu-west-1",
    accessKeyId: "test",
    input: {},
    ...change,
  };
}

/** How many of these calls, made one after the other, are let through. */
function admitted(limiter: Limiter, each: Call, times = 10_000): number {
  let count = 0;
  while (count < times && limiter.admit(each)) count++;
  return count;
}

test("a burst as large as the bucket passes, then as many calls as it refills with", () => {
  const clock = new ManualClock();
  const limiter = new Limiter(clock, AWS_LIMITS);
  const create = call("elbv2", "CreateLoadBalancer");
  assert.equal(admitted(limiter, create), 10);
  clock.advance(4_999);
  assert.equal(admitted(limiter, create), 0);
  clock.advance(1);
  assert.equal(admitted(limiter, create), 1);
  clock.advance(3_600_000);
  assert.equal(admitted(limiter, create), 10);
});

test("an account, a region and a family of operations each have buckets of their own", () => {
  const limiter = new Limiter(new ManualClock(), AWS_LIMITS);
  assert.equal(admitted(limiter, call("elbv2", "AddListenerCertificates")), 20);
  assert.equal(limiter.admit(call("elbv2", "CreateRule")), false);
  assert.equal(limiter.admit(call("elbv2", "ModifyListener")), false);
  assert.equal(limiter.admit(call("elbv2", "DescribeRules")), true);
  assert.equal(limiter.admit(call("elbv2", "RegisterTargets")), true);
  assert.equal(limiter.admit(call("elbv2", "CreateRule", { region: "us-east-1" })), true);
  assert.equal(limiter.admit(call("elbv2", "CreateRule", { account: "111111111111" })), true);
});

test("all calls of ELBv2 together have a bucket too, and a call that it refuses takes from no other", () => {
  const clock = new ManualClock();
  const limiter = new Limiter(clock, AWS_LIMITS);
  assert.equal(admitted(limiter, call("elbv2", "DescribeLoadBalancers")), 40);
  for (let i = 0; i < 100; i++) assert.equal(limiter.admit(call("elbv2", "CreateLoadBalancer")), false);
  clock.advance(1_000);
  assert.equal(admitted(limiter, call("elbv2", "CreateLoadBalancer")), 10);
});

test("ACM: five requests a second, ten descriptions", () => {
  const clock = new ManualClock();
  const limiter = new Limiter(clock, AWS_LIMITS);
  for (let second = 0; second < 3; second++) {
    assert.equal(admitted(limiter, call("acm", "RequestCertificate")), 5);
    assert.equal(admitted(limiter, call("acm", "DescribeCertificate")), 10);
    clock.advance(1_000);
  }
});

test("Route 53: all regions share, and a batch costs its changes, an UPSERT two", () => {
  const clock = new ManualClock();
  const limiter = new Limiter(clock, AWS_LIMITS);
  const batch = (Action: string, count: number, region = "us-east-1"): Call =>
    call("route53", "ChangeResourceRecordSets", {
      region,
      input: { ChangeBatch: { Changes: Array.from({ length: count }, () => ({ Action })) } },
    });
  assert.equal(limiter.admit(batch("CREATE", 1000)), true);
  assert.equal(limiter.admit(batch("UPSERT", 251, "eu-west-1")), false);
  assert.equal(limiter.admit(batch("UPSERT", 250, "eu-west-1")), true);
  assert.equal(limiter.admit(batch("DELETE", 1)), false);
  clock.advance(1_000);
  assert.equal(limiter.admit(batch("DELETE", 100)), true);
  assert.equal(limiter.admit(batch("DELETE", 1)), false);
});

test("Route 53: fifty requests at once, ten a second after", () => {
  const clock = new ManualClock();
  const limiter = new Limiter(clock, AWS_LIMITS);
  assert.equal(admitted(limiter, call("route53", "ListResourceRecordSets")), 50);
  clock.advance(2_000);
  assert.equal(admitted(limiter, call("route53", "ListResourceRecordSets")), 20);
});

test("a call that costs more than its bucket holds passes when the bucket is full", () => {
  const clock = new ManualClock();
  const table: LimitTable = {
    route53: {
      regional: false,
      buckets: [{ name: "changes", capacity: 10, refill: 1, operations: "all", cost: "record changes" }],
    },
  };
  const limiter = new Limiter(clock, table);
  const large = call("route53", "ChangeResourceRecordSets", {
    input: { ChangeBatch: { Changes: Array.from({ length: 30 }, () => ({ Action: "CREATE" })) } },
  });
  assert.equal(limiter.admit(large), true);
  clock.advance(9_000);
  assert.equal(limiter.admit(large), false);
  clock.advance(1_000);
  assert.equal(limiter.admit(large), true);
});

test("without a table nothing is limited", () => {
  const limiter = new Limiter(new ManualClock(), {});
  assert.equal(admitted(limiter, call("acm", "RequestCertificate"), 1000), 1000);
});

test("a verb stands for all that begin with it, a whole name for itself alone", () => {
  const names = (service: "elbv2" | "s3" | "ec2", operation: string): string[] =>
    bucketsOf(AWS_LIMITS[service] ?? assert.fail(), operation, {}).map(({ name }) => name);
  assert.deepEqual(names("elbv2", "ModifyTargetGroupAttributes"), ["all", "mutating"]);
  assert.deepEqual(names("elbv2", "DescribeTags"), ["all", "non-mutating"]);
  assert.deepEqual(names("s3", "DeleteBucketCors"), ["rest"]);
  assert.deepEqual(names("s3", "DeleteBucket"), ["buckets"]);
  assert.deepEqual(names("ec2", "DescribeVpcs"), ["non-mutating"]);
  assert.deepEqual(names("ec2", "DescribeInstances"), ["unfiltered"]);
  assert.deepEqual(names("ec2", "RunInstances"), ["RunInstances", "instances of RunInstances"]);
});
