import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createEc2 } from "./create-ec2.ts";

const ONE = { ImageId: "ami-0a1b2c3d4e5f60001", InstanceType: "t3.micro", MinCount: 1, MaxCount: 1 };

function setUp(durations = 1) {
  const world = testWorld({ lag: true, durations });
  const ec2 = createEc2(world);
  return { world, call: serviceCaller<Operations>(ec2.service), tagged: ec2.tagged };
}

test("describes do not see an instance at once, nor what was done to it", async () => {
  const { world, call } = setUp();
  const InstanceIds = [(await call("RunInstances", ONE)).Instances?.[0]?.InstanceId ?? ""];
  const states = async () =>
    ((await call("DescribeInstances", { InstanceIds })).Reservations ?? []).map(
      ({ Instances }) => Instances?.[0]?.State?.Name,
    );
  world.clock.advance(2999);
  await assert.rejects(states(), refusal("InvalidInstanceID.NotFound"));
  assert.deepEqual((await call("DescribeInstances", {})).Reservations, []);
  world.clock.advance(1);
  assert.deepEqual(await states(), ["pending"]);
  world.clock.advance(60_000);
  await call("TerminateInstances", { InstanceIds });
  assert.deepEqual(await states(), ["running"]);
  world.clock.advance(3000);
  assert.deepEqual(await states(), ["shutting-down"]);
});

test("who changes something works on what is there; only describes are late", async () => {
  const { world, call } = setUp();
  const VpcId = (await call("CreateVpc", { CidrBlock: "10.9.0.0/16" })).Vpc?.VpcId ?? "";
  const group = await call("CreateSecurityGroup", { GroupName: "web", Description: "web", VpcId });
  const GroupIds = [group.GroupId ?? ""];
  await call("CreateTags", { Resources: GroupIds, Tags: [{ Key: "team", Value: "web" }] });
  await assert.rejects(call("DescribeVpcs", { VpcIds: [VpcId] }), refusal("InvalidVpcID.NotFound"));
  await assert.rejects(call("DescribeSecurityGroups", { GroupIds }), refusal("InvalidGroup.NotFound"));
  assert.deepEqual((await call("DescribeTags", {})).Tags, []);
  world.clock.advance(3000);
  assert.equal((await call("DescribeVpcs", { VpcIds: [VpcId] })).Vpcs?.length, 1);
  assert.equal((await call("DescribeTags", {})).Tags?.[0]?.Value, "web");
  await call("DeleteSecurityGroup", { GroupId: group.GroupId });
  assert.equal((await call("DescribeSecurityGroups", { GroupIds })).SecurityGroups?.length, 1);
  await assert.rejects(call("DeleteSecurityGroup", { GroupId: group.GroupId }), refusal("InvalidGroup.NotFound"));
});

test("what every account has is never late", async () => {
  const { call } = setUp();
  assert.equal((await call("DescribeVpcs", {})).Vpcs?.length, 1);
  assert.equal((await call("DescribeSubnets", {})).Subnets?.length, 6);
  assert.equal((await call("DescribeSecurityGroups", {})).SecurityGroups?.length, 1);
});

test("where things take no time, nothing is late", async () => {
  const { call } = setUp(0);
  const InstanceIds = [(await call("RunInstances", ONE)).Instances?.[0]?.InstanceId ?? ""];
  assert.equal((await call("DescribeInstances", { InstanceIds })).Reservations?.length, 1);
});
