import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteSecurityGroupCommand,
  DescribeInstancesCommand,
  DescribeTagsCommand,
  EC2Client,
  EC2ServiceException,
  ModifyInstanceAttributeCommand,
  paginateDescribeInstances,
  paginateDescribeInstanceTypes,
  paginateDescribeSubnets,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
  waitUntilInstanceExists,
  waitUntilInstanceRunning,
  waitUntilInstanceStatusOk,
  waitUntilInstanceStopped,
  waitUntilInstanceTerminated,
  waitUntilVpcAvailable,
} from "@aws-sdk/client-ec2";
import { pagesOf, PATIENCE, sdkStage } from "./sdk-stage.ts";

const { config } = sdkStage();

/** Clients see the code of EC2 as the name of the error; it has no classes of its own. */
const refusal =
  (name: string, status = 400) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof EC2ServiceException);
    assert.deepEqual([error.name, error.$metadata.httpStatusCode], [name, status]);
    assert.match(error.$metadata.requestId ?? "", /^[0-9a-f-]{36}$/);
    return true;
  };

test("EC2: networks, groups and the life of instances as waiters follow it", async () => {
  const ec2 = new EC2Client(config());
  const waiting = { client: ec2, ...PATIENCE };
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.9.0.0/16" }));
  assert.equal((await waitUntilVpcAvailable(waiting, { VpcIds: [Vpc?.VpcId ?? ""] })).state, "SUCCESS");
  const VpcId = Vpc?.VpcId;
  const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock: "10.9.1.0/24" }));
  await assert.rejects(
    ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock: "10.9.1.128/25" })),
    refusal("InvalidSubnet.Conflict"),
  );
  const { GroupId } = await ec2.send(
    new CreateSecurityGroupCommand({ GroupName: "web", Description: "web servers", VpcId }),
  );
  const https = {
    GroupId,
    IpPermissions: [{ IpProtocol: "tcp", FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: "10.0.0.0/8" }] }],
  };
  const { SecurityGroupRules } = await ec2.send(new AuthorizeSecurityGroupIngressCommand(https));
  assert.equal(SecurityGroupRules?.[0]?.CidrIpv4, "10.0.0.0/8");
  await assert.rejects(
    ec2.send(new AuthorizeSecurityGroupIngressCommand(https)),
    refusal("InvalidPermission.Duplicate"),
  );

  const launch = new RunInstancesCommand({
    ImageId: "ami-0a1b2c3d4e5f60001",
    InstanceType: "t3.micro",
    MinCount: 3,
    MaxCount: 3,
    ClientToken: "sdk",
    SubnetId: Subnet?.SubnetId,
    SecurityGroupIds: [GroupId ?? ""],
    UserData: Buffer.from("#!/bin/sh").toString("base64"),
    TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "team", Value: "web" }] }],
  });
  const { Instances = [] } = await ec2.send(launch);
  assert.deepEqual(
    Instances.map(({ State }) => State),
    Instances.map(() => ({ Code: 0, Name: "pending" })),
  );
  const InstanceIds = Instances.map(({ InstanceId }) => InstanceId ?? "");
  assert.deepEqual(
    (await ec2.send(launch)).Instances?.map(({ InstanceId }) => InstanceId),
    InstanceIds,
  );
  assert.equal((await waitUntilInstanceExists(waiting, { InstanceIds })).state, "SUCCESS");
  assert.equal((await waitUntilInstanceRunning(waiting, { InstanceIds })).state, "SUCCESS");
  assert.equal((await waitUntilInstanceStatusOk(waiting, { InstanceIds })).state, "SUCCESS");
  const Filters = [{ Name: "tag:team", Values: ["w?b"] }];
  const [first] = await pagesOf(paginateDescribeInstances({ client: ec2 }, { Filters, MaxResults: 5 }));
  const [instance] = first?.Reservations?.[0]?.Instances ?? [];
  assert.ok(instance?.LaunchTime instanceof Date);
  assert.match(instance.PrivateIpAddress ?? "", /^10\.9\.1\./);
  assert.deepEqual(instance.Tags, [{ Key: "team", Value: "web" }]);

  const [one = "", ...rest] = InstanceIds;
  await assert.rejects(ec2.send(new DeleteSecurityGroupCommand({ GroupId })), refusal("DependencyViolation"));
  const resize = new ModifyInstanceAttributeCommand({ InstanceId: one, InstanceType: { Value: "t3.small" } });
  await assert.rejects(ec2.send(resize), refusal("IncorrectInstanceState"));
  await ec2.send(new StopInstancesCommand({ InstanceIds: [one] }));
  assert.equal((await waitUntilInstanceStopped(waiting, { InstanceIds: [one] })).state, "SUCCESS");
  await ec2.send(resize);
  await ec2.send(new StartInstancesCommand({ InstanceIds: [one] }));
  assert.equal((await waitUntilInstanceRunning(waiting, { InstanceIds: [one] })).state, "SUCCESS");
  await ec2.send(new CreateTagsCommand({ Resources: rest, Tags: [{ Key: "stage", Value: "test" }] }));
  const { Tags } = await ec2.send(new DescribeTagsCommand({ Filters: [{ Name: "key", Values: ["stage"] }] }));
  assert.deepEqual(Tags?.map(({ ResourceId }) => ResourceId).toSorted(), rest.toSorted());
  await ec2.send(new TerminateInstancesCommand({ InstanceIds }));
  assert.equal((await waitUntilInstanceTerminated(waiting, { InstanceIds })).state, "SUCCESS");
  await assert.rejects(ec2.send(launch), refusal("IdempotentInstanceTerminated"));
  await ec2.send(new DeleteSecurityGroupCommand({ GroupId }));
});

test("EC2: lists in pages, and refusals by name", async () => {
  const ec2 = new EC2Client(config());
  const types = await pagesOf(paginateDescribeInstanceTypes({ client: ec2, pageSize: 5 }, {}));
  assert.ok(types.length > 1);
  assert.ok(types.every(({ InstanceTypes = [] }) => InstanceTypes.length <= 5));
  const subnets = await pagesOf(
    paginateDescribeSubnets({ client: ec2 }, { Filters: [{ Name: "default-for-az", Values: ["true"] }] }),
  );
  assert.equal(subnets[0]?.Subnets?.length, 3);
  const look = (InstanceId: string) => ec2.send(new DescribeInstancesCommand({ InstanceIds: [InstanceId] }));
  await assert.rejects(look("i-0123456789abcdef0"), refusal("InvalidInstanceID.NotFound"));
  await assert.rejects(look("nonsense"), refusal("InvalidInstanceID.Malformed"));
  await assert.rejects(
    ec2.send(new CreateVpcCommand({ CidrBlock: "10.8.0.0/16", DryRun: true })),
    refusal("DryRunOperation", 412),
  );
  const nobody = new EC2Client({ ...config(), credentials: { accessKeyId: "AKIANOBODY", secretAccessKey: "x" } });
  await assert.rejects(nobody.send(new DescribeInstancesCommand({})), refusal("AuthFailure", 401));
});
