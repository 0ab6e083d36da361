import assert from "node:assert/strict";
import { test } from "node:test";
import type { Instance, Operations } from "@gatewright/aws-wire/types/ec2";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createEc2 } from "./create-ec2.ts";

const MINUTE = 60_000;
const IMAGE = "ami-0a1b2c3d4e5f60001";
const ONE = { ImageId: IMAGE, InstanceType: "t3.micro", MinCount: 1, MaxCount: 1 };

function setUp({ lag = false }: { readonly lag?: boolean } = {}) {
  const world = testWorld({ lag });
  const ec2 = createEc2(world);
  const call = serviceCaller<Operations>(ec2.service);
  const run = async (more: object = {}): Promise<string> =>
    (await call("RunInstances", { ...ONE, ...more })).Instances?.[0]?.InstanceId ?? "";
  const seen = async (id: string): Promise<Instance> =>
    (await call("DescribeInstances", { InstanceIds: [id] })).Reservations?.[0]?.Instances?.[0] ?? {};
  const state = async (id: string): Promise<string | undefined> => (await seen(id)).State?.Name;
  return { ...ec2, world, call, run, seen, state };
}

async function running(more: object = {}) {
  const set = setUp();
  const id = await set.run(more);
  set.world.clock.advance(MINUTE);
  return { ...set, id };
}

test("an instance is pending, then runs", async () => {
  const { world, run, seen, state } = setUp();
  const id = await run();
  world.clock.advance(3000);
  assert.equal(await state(id), "pending");
  world.clock.advance(17_000);
  const instance = await seen(id);
  assert.equal(instance.State?.Code, 16);
  assert.match(instance.PrivateIpAddress ?? "", /^172\.31\.0\.\d+$/);
  assert.equal(instance.MetadataOptions?.HttpTokens, "required");
});

test("a client token gives the same instance again, and none once that is terminated", async () => {
  const { world, call, run } = setUp();
  const first = await run({ ClientToken: "token" });
  assert.equal(await run({ ClientToken: "token" }), first);
  await assert.rejects(run({ ClientToken: "token", EbsOptimized: true }), refusal("IdempotentParameterMismatch"));
  world.clock.advance(MINUTE);
  const byToken = await call("DescribeInstances", { Filters: [{ Name: "client-token", Values: ["token"] }] });
  assert.equal(byToken.Reservations?.length, 1);
  await call("TerminateInstances", { InstanceIds: [first] });
  world.clock.advance(MINUTE);
  await assert.rejects(run({ ClientToken: "token" }), refusal("IdempotentInstanceTerminated"));
  world.clock.advance(24 * 60 * MINUTE);
  await assert.rejects(run({ ClientToken: "token" }), refusal("IdempotentInstanceTerminated"));
  assert.notEqual(await run({ ClientToken: "other" }), first);
});

test("a launch that cannot be is refused with the code that says why", async () => {
  const { run } = setUp();
  for (const [more, code] of [
    [{ ImageId: "ami-00000000000000000" }, "InvalidAMIID.NotFound"],
    [{ ImageId: "nonsense" }, "InvalidAMIID.Malformed"],
    [{ InstanceType: "x9.enormous" }, "InvalidParameterValue"],
    [{ InstanceType: "t4g.micro" }, "InvalidParameterValue"],
    [{ KeyName: "none" }, "InvalidKeyPair.NotFound"],
    [{ SubnetId: "subnet-00000000" }, "InvalidSubnetID.NotFound"],
    [{ SecurityGroupIds: ["sg-00000000"] }, "InvalidGroup.NotFound"],
    [{ SecurityGroupIds: ["nonsense"] }, "InvalidGroupId.Malformed"],
    [{ Placement: { AvailabilityZone: "us-east-1z" } }, "InvalidParameterValue"],
    [{ MinCount: 2 }, "InvalidParameterValue"],
    [{ UserData: Buffer.alloc(20_000).toString("base64") }, "InvalidParameterValue"],
    [{ TagSpecifications: [{ ResourceType: "planet", Tags: [{ Key: "a" }] }] }, "InvalidParameterValue"],
    [{ IamInstanceProfile: { Name: "not a name" } }, "InvalidParameterValue"],
    [{ BlockDeviceMappings: [{ DeviceName: "/dev/xvda", Ebs: { VolumeSize: 4 } }] }, "InvalidBlockDeviceMapping"],
  ] as const) {
    await assert.rejects(run(more), refusal(code), JSON.stringify(more));
  }
  await assert.rejects(run({ DryRun: true }), refusal("DryRunOperation", 412));
});

test("an instance stops, starts and is terminated, and is remembered for an hour", async () => {
  const { world, call, state, id } = await running();
  const InstanceIds = [id];
  const { StoppingInstances: [stopping] = [] } = await call("StopInstances", { InstanceIds });
  assert.deepEqual([stopping?.PreviousState?.Name, stopping?.CurrentState?.Name], ["running", "stopping"]);
  await assert.rejects(call("StartInstances", { InstanceIds }), refusal("IncorrectInstanceState"));
  world.clock.advance(MINUTE);
  assert.equal(await state(id), "stopped");
  await call("StartInstances", { InstanceIds });
  assert.equal(await state(id), "pending");
  world.clock.advance(MINUTE);
  await call("TerminateInstances", { InstanceIds });
  assert.equal(await state(id), "shutting-down");
  world.clock.advance(MINUTE);
  await call("TerminateInstances", { InstanceIds });
  await assert.rejects(call("StopInstances", { InstanceIds }), refusal("IncorrectInstanceState"));
  assert.equal(await state(id), "terminated");
  assert.equal((await call("DescribeVolumes", {})).Volumes?.length, 0);
  world.clock.advance(60 * MINUTE);
  await assert.rejects(state(id), refusal("InvalidInstanceID.NotFound"));
});

test("protection against the end and against a stop holds until it is taken away", async () => {
  const { call, id } = await running({ DisableApiTermination: true, DisableApiStop: true });
  await assert.rejects(call("TerminateInstances", { InstanceIds: [id] }), refusal("OperationNotPermitted"));
  await assert.rejects(call("StopInstances", { InstanceIds: [id] }), refusal("OperationNotPermitted"));
  await call("ModifyInstanceAttribute", { InstanceId: id, DisableApiTermination: { Value: false } });
  await assert.rejects(call("TerminateInstances", { InstanceIds: [id] }), /'disableApiStop'/);
  await call("ModifyInstanceAttribute", { InstanceId: id, DisableApiStop: { Value: false } });
  await call("TerminateInstances", { InstanceIds: [id] });
});

test("some attributes change only while the instance is stopped, and one at a time", async () => {
  const { world, call, seen, id } = await running({ UserData: "aGk=" });
  const modify = (more: object) => call("ModifyInstanceAttribute", { InstanceId: id, ...more });
  await assert.rejects(modify({ InstanceType: { Value: "t3.small" } }), refusal("IncorrectInstanceState"));
  await assert.rejects(modify({}), refusal("InvalidParameterCombination"));
  await assert.rejects(
    modify({ DisableApiStop: { Value: true }, SourceDestCheck: { Value: false } }),
    refusal("InvalidParameterCombination"),
  );
  await modify({ SourceDestCheck: { Value: false } });
  await call("StopInstances", { InstanceIds: [id] });
  world.clock.advance(MINUTE);
  await modify({ InstanceType: { Value: "t3.small" } });
  await modify({ UserData: { Value: Buffer.from("ho") } });
  const { InstanceType: type, SourceDestCheck: check } = await seen(id);
  assert.deepEqual([type, check], ["t3.small", false]);
  const data = await call("DescribeInstanceAttribute", { InstanceId: id, Attribute: "userData" });
  assert.equal(data.UserData?.Value, "aG8=");
});

test("instances are found by filters with wildcards, and in pages", async () => {
  const { world, call, run } = setUp();
  for (let i = 0; i < 7; i++) {
    await run({ TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "Name", Value: `web-${i}` }] }] });
  }
  world.clock.advance(MINUTE);
  const find = async (Name: string, ...Values: readonly string[]): Promise<number | undefined> =>
    (await call("DescribeInstances", { Filters: [{ Name, Values }] })).Reservations?.length;
  assert.equal(await find("tag:Name", "web-*"), 7);
  assert.equal(await find("tag:Name", "web-1", "*-2"), 2);
  assert.equal(await find("tag-key", "Nam?"), 7);
  assert.equal(await find("instance-state-name", "stopped"), 0);
  assert.equal(await find("instance-state-code", "16"), 7);
  await assert.rejects(find("colour", "blue"), refusal("InvalidParameterValue"));
  const first = await call("DescribeInstances", { MaxResults: 5 });
  const second = await call("DescribeInstances", { MaxResults: 5, NextToken: first.NextToken });
  assert.deepEqual([first.Reservations?.length, second.Reservations?.length, second.NextToken], [5, 2, undefined]);
  await assert.rejects(call("DescribeInstances", { MaxResults: 4 }), refusal("InvalidParameterValue"));
  await assert.rejects(call("DescribeInstances", { InstanceIds: ["web-1"] }), refusal("InvalidInstanceID.Malformed"));
});

test("a volume grows but does not shrink, rests between changes, and can outlive its instance", async () => {
  const { world, call, id } = await running({
    BlockDeviceMappings: [{ DeviceName: "/dev/sdf", Ebs: { VolumeSize: 10, DeleteOnTermination: false } }],
    TagSpecifications: [{ ResourceType: "volume", Tags: [{ Key: "a", Value: "1" }] }],
  });
  const extra = { Filters: [{ Name: "attachment.device", Values: ["/dev/sdf"] }] };
  const VolumeId = (await call("DescribeVolumes", extra)).Volumes?.[0]?.VolumeId ?? "";
  await assert.rejects(call("ModifyVolume", { VolumeId, Size: 5 }), refusal("InvalidParameterValue"));
  const { VolumeModification: change } = await call("ModifyVolume", { VolumeId, Size: 20 });
  assert.equal(change?.ModificationState, "modifying");
  await assert.rejects(call("ModifyVolume", { VolumeId, Size: 30 }), refusal("IncorrectModificationState"));
  world.clock.advance(11 * MINUTE);
  await assert.rejects(call("ModifyVolume", { VolumeId, Size: 30 }), refusal("VolumeModificationRateExceeded"));
  const { VolumesModifications: changes } = await call("DescribeVolumesModifications", { VolumeIds: [VolumeId] });
  assert.equal(changes?.[0]?.ModificationState, "completed");
  await call("TerminateInstances", { InstanceIds: [id] });
  world.clock.advance(MINUTE);
  const { Volumes: left = [] } = await call("DescribeVolumes", {});
  assert.deepEqual(
    left.map(({ Size, State, Tags }) => [Size, State, Tags]),
    [[20, "available", [{ Key: "a", Value: "1" }]]],
  );
  await assert.rejects(call("DescribeVolumes", { VolumeIds: ["vol-00000000"] }), refusal("InvalidVolume.NotFound"));
});

test("an instance has one profile at a time", async () => {
  const { call, seen, id } = await running();
  const associate = () => call("AssociateIamInstanceProfile", { InstanceId: id, IamInstanceProfile: { Name: "app" } });
  const { IamInstanceProfileAssociation: association } = await associate();
  await assert.rejects(associate(), refusal("IncorrectState"));
  const AssociationId = association?.AssociationId ?? "";
  await call("ReplaceIamInstanceProfileAssociation", { AssociationId, IamInstanceProfile: { Name: "other" } });
  assert.equal((await seen(id)).IamInstanceProfile?.Arn, "arn:aws:iam::000000000000:instance-profile/other");
  await assert.rejects(
    call("DisassociateIamInstanceProfile", { AssociationId }),
    refusal("InvalidAssociationID.NotFound"),
  );
  const { IamInstanceProfileAssociations: [now] = [] } = await call("DescribeIamInstanceProfileAssociations", {});
  await call("DisassociateIamInstanceProfile", { AssociationId: now?.AssociationId ?? "" });
  assert.equal((await seen(id)).IamInstanceProfile, undefined);
});

test("monitoring and metadata options change while it runs; status checks pass after a while", async () => {
  const { world, call, seen, id } = await running();
  await call("MonitorInstances", { InstanceIds: [id] });
  await call("ModifyInstanceMetadataOptions", { InstanceId: id, HttpTokens: "optional" });
  const { Monitoring: monitoring, MetadataOptions: options } = await seen(id);
  assert.deepEqual([monitoring?.State, options?.HttpTokens, options?.HttpEndpoint], ["enabled", "optional", "enabled"]);
  const status = async () => (await call("DescribeInstanceStatus", {})).InstanceStatuses?.[0]?.InstanceStatus?.Status;
  assert.equal(await status(), "initializing");
  world.clock.advance(2 * MINUTE);
  assert.equal(await status(), "ok");
});

test("misfortune ends an instance with its reason", async () => {
  const { world, seen, afflict, id } = await running();
  const reason = { code: "Server.InternalError", message: "Server.InternalError: Internal error on launch" };
  assert.equal(await afflict({ account: "000000000000", region: "us-east-1" }, id, reason), true);
  world.clock.advance(MINUTE);
  assert.deepEqual(
    [(await seen(id)).State?.Name, (await seen(id)).StateReason?.Code],
    ["terminated", "Server.InternalError"],
  );
});

test("several are launched at once, as many as there are addresses for", async () => {
  const { call } = setUp();
  const { Vpc: vpc } = await call("CreateVpc", { CidrBlock: "10.0.0.0/16" });
  const { Subnet: subnet } = await call("CreateSubnet", { VpcId: vpc?.VpcId ?? "", CidrBlock: "10.0.0.0/28" });
  const launch = (MinCount: number, MaxCount: number) =>
    call("RunInstances", { ...ONE, MinCount, MaxCount, SubnetId: subnet?.SubnetId });
  assert.equal((await launch(2, 8)).Instances?.length, 8);
  await assert.rejects(launch(4, 4), refusal("InsufficientFreeAddressesInSubnet"));
  assert.equal((await launch(1, 4)).Instances?.length, 3);
});
