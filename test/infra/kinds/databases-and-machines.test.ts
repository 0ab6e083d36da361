import assert from "node:assert/strict";
import { test } from "node:test";
import { DescribeInstancesCommand, EC2Client } from "@aws-sdk/client-ec2";
import { DescribeDBInstancesCommand, DescribeDBSnapshotsCommand, RDSClient } from "@aws-sdk/client-rds";
import { EC2Instance, RDSInstance } from "@gatewright/resources";
import { createInfraWorld } from "../infra-world.ts";
import type { InfraWorld } from "../infra-world.ts";

const DATABASE = {
  dbInstanceIdentifier: "orders",
  engine: "postgres",
  dbInstanceClass: "db.t4g.micro",
  allocatedStorage: 20,
  masterUsername: "boss",
  manageMasterUserPassword: true,
};
const MACHINE = {
  instanceName: "bastion",
  instanceType: "t3.micro",
  imageID: "ami-0a1b2c3d4e5f60001",
  userData: "#!/bin/sh\n",
};

const databases = async (world: InfraWorld) =>
  (await new RDSClient(world.sdk()).send(new DescribeDBInstancesCommand())).DBInstances ?? [];
const machines = async (world: InfraWorld) =>
  ((await new EC2Client(world.sdk()).send(new DescribeInstancesCommand())).Reservations ?? [])
    .flatMap(({ Instances: all = [] }) => all)
    .filter(({ State: state }) => state?.Name !== "terminated");

test("a database is made, changed, protected and, in the end, saved", async () => {
  await using world = await createInfraWorld({ pace: { durations: 0.1, lag: false } });
  await world.put(RDSInstance, "orders", { ...DATABASE, deletionProtection: true });
  const { status } = await world.ready(RDSInstance, "orders");
  const [made] = await databases(world);
  assert.equal(status?.endpoint, made?.Endpoint?.Address);
  assert.equal(status?.deletionPolicy, "Delete");
  await world.put(RDSInstance, "orders", { ...DATABASE, deletionProtection: true, backupRetentionPeriod: 9 });
  await world.ready(RDSInstance, "orders");
  assert.equal((await databases(world))[0]?.BackupRetentionPeriod, 9);
  await world.remove(RDSInstance, "orders");
  await world.reason(RDSInstance, "orders", "DeletionProtected");
  assert.equal((await databases(world)).length, 1);
  await world.put(RDSInstance, "orders", { ...DATABASE, deletionProtection: false });
  await world.gone(RDSInstance, "orders");
  assert.deepEqual(await databases(world), []);
  const kept = await new RDSClient(world.sdk()).send(new DescribeDBSnapshotsCommand({ SnapshotType: "manual" }));
  assert.match(kept.DBSnapshots?.[0]?.DBSnapshotIdentifier ?? "", /^orders-final-[0-9a-f]{10}$/);
});

test("an instance is launched once though describes lag and the process dies, and stops for a change that may stop it", async () => {
  await using world = await createInfraWorld({ pace: { durations: 1, lag: true } });
  await world.put(EC2Instance, "bastion", MACHINE);
  await world.crash();
  const { status } = await world.ready(EC2Instance, "bastion");
  assert.deepEqual(
    (await machines(world)).map(({ InstanceId: id }) => id),
    [status?.instanceID],
  );
  await world.put(EC2Instance, "bastion", { ...MACHINE, instanceType: "t3.small" });
  await world.reason(EC2Instance, "bastion", "StopNeeded");
  assert.equal((await machines(world))[0]?.State?.Name, "running");
  await world.put(EC2Instance, "bastion", { ...MACHINE, instanceType: "t3.small", allowStopForChanges: true });
  await world.ready(EC2Instance, "bastion");
  const [changed] = await machines(world);
  assert.deepEqual([changed?.State?.Name, changed?.InstanceType], ["running", "t3.small"]);
  await world.put(EC2Instance, "bastion", { ...MACHINE, instanceType: "t3.small", deletionPolicy: "Stop" });
  await world.ready(EC2Instance, "bastion");
  await world.remove(EC2Instance, "bastion");
  await world.gone(EC2Instance, "bastion");
  assert.deepEqual(
    (await machines(world)).map(({ State: state }) => state?.Name),
    ["stopped"],
  );
});
