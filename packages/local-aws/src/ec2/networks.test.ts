import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createEc2 } from "./create-ec2.ts";
import { fits } from "./filters.ts";

const PLACE = ["000000000000", "us-east-1"] as const;

function setUp() {
  const world = testWorld({ lag: false });
  const ec2 = createEc2(world);
  return { ...ec2, world, call: serviceCaller<Operations>(ec2.service) };
}

test("a region has a default VPC with a subnet in each zone, which neighbours know before the first call", async () => {
  const { call, networks } = setUp();
  const before = networks.defaultSubnets(...PLACE);
  assert.equal(before.length, 6);
  const group = networks.defaultSecurityGroup(...PLACE, before[0]?.vpcId ?? "");
  const { Vpcs: [vpc] = [] } = await call("DescribeVpcs", { Filters: [{ Name: "is-default", Values: ["true"] }] });
  assert.equal(vpc?.VpcId, before[0]?.vpcId);
  const { Subnets: subnets = [] } = await call("DescribeSubnets", {});
  assert.deepEqual(new Set(subnets.map(({ SubnetId }) => SubnetId)), new Set(before.map(({ id }) => id)));
  const { SecurityGroups: groups = [] } = await call("DescribeSecurityGroups", {});
  assert.deepEqual(
    groups.map(({ GroupId, GroupName }) => [GroupId, GroupName]),
    [[group, "default"]],
  );
  assert.deepEqual(networks.defaultSubnets(...PLACE), before);
});

test("ranges of subnets lie in their VPC and apart from each other", async () => {
  const { call } = setUp();
  const { Vpc: vpc } = await call("CreateVpc", { CidrBlock: "10.1.0.0/16" });
  const VpcId = vpc?.VpcId ?? "";
  const create = (CidrBlock: string, more: object = {}) => call("CreateSubnet", { VpcId, CidrBlock, ...more });
  const { Subnet: subnet } = await create("10.1.0.0/24", { AvailabilityZone: "us-east-1b" });
  assert.deepEqual([subnet?.AvailabilityZone, subnet?.AvailableIpAddressCount], ["us-east-1b", 251]);
  await assert.rejects(create("10.1.0.128/25"), refusal("InvalidSubnet.Conflict"));
  await assert.rejects(create("10.2.0.0/24"), refusal("InvalidSubnet.Range"));
  await assert.rejects(create("nonsense"), refusal("InvalidParameterValue"));
  await assert.rejects(call("CreateVpc", { CidrBlock: "10.0.0.0/8" }), refusal("InvalidVpc.Range"));
  await assert.rejects(call("DeleteVpc", { VpcId }), refusal("DependencyViolation"));
  await call("DeleteSubnet", { SubnetId: subnet?.SubnetId ?? "" });
  await call("DeleteVpc", { VpcId });
  await assert.rejects(call("DeleteVpc", { VpcId }), refusal("InvalidVpcID.NotFound"));
});

test("rules of a group are there once, and go by what they say or by their id", async () => {
  const { call } = setUp();
  const { GroupId = "" } = await call("CreateSecurityGroup", { GroupName: "web", Description: "d" });
  await assert.rejects(
    call("CreateSecurityGroup", { GroupName: "web", Description: "d" }),
    refusal("InvalidGroup.Duplicate"),
  );
  const IpPermissions = [{ IpProtocol: "tcp", FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: "10.0.0.9/8" }] }];
  const { SecurityGroupRules: [rule] = [] } = await call("AuthorizeSecurityGroupIngress", { GroupId, IpPermissions });
  assert.equal(rule?.CidrIpv4, "10.0.0.0/8");
  const again = call("AuthorizeSecurityGroupIngress", { GroupId, IpPermissions });
  await assert.rejects(again, refusal("InvalidPermission.Duplicate"));
  await call("RevokeSecurityGroupIngress", { GroupId, SecurityGroupRuleIds: [rule.SecurityGroupRuleId ?? ""] });
  const revoke = call("RevokeSecurityGroupIngress", { GroupId, IpPermissions });
  await assert.rejects(revoke, refusal("InvalidPermission.NotFound"));
  const { SecurityGroups: [group] = [] } = await call("DescribeSecurityGroups", { GroupIds: [GroupId] });
  assert.deepEqual([group?.IpPermissions, group?.IpPermissionsEgress?.length], [[], 1]);
  const malformed = { GroupId, IpPermissions: [{ IpProtocol: "tcp", IpRanges: [{ CidrIp: "everywhere" }] }] };
  await assert.rejects(call("AuthorizeSecurityGroupIngress", malformed), refusal("InvalidParameterValue"));
});

test("a group stays while an instance or another group's rule needs it", async () => {
  const { world, call } = setUp();
  const make = async (GroupName: string): Promise<string> =>
    (await call("CreateSecurityGroup", { GroupName, Description: "d" })).GroupId ?? "";
  const [one, other] = [await make("one"), await make("other")];
  await call("AuthorizeSecurityGroupIngress", {
    GroupId: other,
    IpPermissions: [{ IpProtocol: "-1", UserIdGroupPairs: [{ GroupId: one }] }],
  });
  await assert.rejects(call("DeleteSecurityGroup", { GroupId: one }), refusal("DependencyViolation"));
  const { Instances: [instance] = [] } = await call("RunInstances", {
    ImageId: "ami-0a1b2c3d4e5f60001",
    InstanceType: "t3.micro",
    MinCount: 1,
    MaxCount: 1,
    SecurityGroupIds: [other],
  });
  await assert.rejects(call("DeleteSecurityGroup", { GroupId: other }), refusal("DependencyViolation"));
  await call("TerminateInstances", { InstanceIds: [instance?.InstanceId ?? ""] });
  await assert.rejects(call("DeleteSecurityGroup", { GroupId: other }), refusal("DependencyViolation"));
  world.clock.advance(60_000);
  await call("DeleteSecurityGroup", { GroupId: other });
  await call("DeleteSecurityGroup", { GroupId: one });
  await assert.rejects(call("DeleteSecurityGroup", { GroupId: one }), refusal("InvalidGroup.NotFound"));
});

test("tags are of anything that has an id, and the tagging API knows them by ARN", async () => {
  const { call, tagged } = setUp();
  const { Vpc: vpc } = await call("CreateVpc", { CidrBlock: "10.1.0.0/16" });
  const id = vpc?.VpcId ?? "";
  await call("CreateTags", { Resources: [id], Tags: [{ Key: "a", Value: "1" }] });
  const arn = `arn:aws:ec2:us-east-1:000000000000:vpc/${id}`;
  assert.equal(await tagged.tag(arn, new Map([["b", "2"]])), true);
  const found = [...tagged.list(...PLACE)].find((one) => one.arn === arn);
  assert.deepEqual(
    [...(found?.tags ?? [])],
    [
      ["a", "1"],
      ["b", "2"],
    ],
  );
  await call("DeleteTags", { Resources: [id], Tags: [{ Key: "a", Value: "other" }, { Key: "b" }] });
  const { Tags: tags } = await call("DescribeTags", { Filters: [{ Name: "resource-id", Values: [id] }] });
  assert.deepEqual(tags, [{ ResourceId: id, ResourceType: "vpc", Key: "a", Value: "1" }]);
  const tag = (resource: string, key: string) => call("CreateTags", { Resources: [resource], Tags: [{ Key: key }] });
  await assert.rejects(tag(id, "aws:x"), refusal("InvalidParameterValue"));
  await assert.rejects(tag("vpc-00000000", "x"), refusal("InvalidVpcID.NotFound"));
  await assert.rejects(tag("planet-1", "x"), refusal("InvalidID"));
});

test("key pairs tell their private key once, and addresses come and go", async () => {
  const { call } = setUp();
  const key = await call("CreateKeyPair", { KeyName: "k", KeyType: "ed25519" });
  assert.match(key.KeyMaterial ?? "", /PRIVATE KEY/);
  await assert.rejects(call("CreateKeyPair", { KeyName: "k" }), refusal("InvalidKeyPair.Duplicate"));
  assert.equal(JSON.stringify(await call("DescribeKeyPairs", {})).includes("PRIVATE"), false);
  await call("DeleteKeyPair", { KeyName: "k" });
  await call("DeleteKeyPair", { KeyName: "k" });
  await assert.rejects(call("DescribeKeyPairs", { KeyNames: ["k"] }), refusal("InvalidKeyPair.NotFound"));
  const { AllocationId } = await call("AllocateAddress", {});
  assert.equal((await call("DescribeAddresses", {})).Addresses?.length, 1);
  await call("ReleaseAddress", { AllocationId });
  await assert.rejects(call("ReleaseAddress", { AllocationId }), refusal("InvalidAllocationID.NotFound"));
});

test("types, images, regions and zones are listed", async () => {
  const { call } = setUp();
  const { InstanceTypes: [type] = [] } = await call("DescribeInstanceTypes", { InstanceTypes: ["m7g.xlarge"] });
  assert.deepEqual([type?.VCpuInfo?.DefaultVCpus, type?.MemoryInfo?.SizeInMiB], [4, 16_384]);
  await assert.rejects(call("DescribeInstanceTypes", { InstanceTypes: ["x"] }), refusal("InvalidInstanceType"));
  const arm = { Name: "architecture", Values: ["arm64"] };
  const { Images: images } = await call("DescribeImages", { Filters: [{ Name: "name", Values: ["al2023-*"] }, arm] });
  assert.equal(images?.length, 1);
  assert.equal((await call("DescribeAvailabilityZones", {})).AvailabilityZones?.length, 6);
  assert.equal((await call("DescribeRegions", { RegionNames: ["eu-west-1"] })).Regions?.length, 1);
});

test("patterns of filters stand for what they say", () => {
  for (const [pattern, text, expected] of [
    ["*", "", true],
    ["a*c", "abbc", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["*b*", "abc", true],
    [String.raw`\*`, "*", true],
    [String.raw`\*`, "x", false],
    ["A", "a", false],
  ] as const) {
    assert.equal(fits(pattern, text), expected, `${pattern} ${text}`);
  }
});
