import assert from "node:assert/strict";
import { test } from "node:test";
import type { DBInstance, Operations } from "@gatewright/aws-wire/types/rds";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createRds } from "./create-rds.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ID = { DBInstanceIdentifier: "db" };
const WANTED = {
  DBInstanceIdentifier: "DB",
  DBInstanceClass: "db.t4g.micro",
  Engine: "postgres",
  EngineVersion: "16.9",
  AllocatedStorage: 20,
  MasterUsername: "boss",
  MasterUserPassword: "secret-enough",
  PreferredMaintenanceWindow: "Wed:03:00-Wed:04:00",
  PreferredBackupWindow: "05:00-06:00",
};

function setUp() {
  const world = testWorld();
  const rds = createRds(world);
  const call = serviceCaller<Operations>(rds.service, { region: "eu-west-1" });
  const seen = async (): Promise<DBInstance> => (await call("DescribeDBInstances", ID)).DBInstances?.[0] ?? {};
  const status = async (): Promise<string | undefined> => (await seen()).DBInstanceStatus;
  return { ...rds, world, call, seen, status };
}

async function available(more: object = {}) {
  const set = setUp();
  await set.call("CreateDBInstance", { ...WANTED, ...more });
  set.world.clock.advance(6 * MINUTE);
  return set;
}

test("an instance is created, backed up and then available, with an endpoint once it is there", async () => {
  const { world, call, seen, status } = setUp();
  const { DBInstance: created } = await call("CreateDBInstance", WANTED);
  assert.equal(created?.DBInstanceStatus, "creating");
  assert.equal(created.Endpoint, undefined);
  assert.equal(created.DBInstanceIdentifier, "db");
  assert.equal(JSON.stringify(created).includes("secret-enough"), false);
  world.clock.advance(5 * MINUTE);
  assert.equal(await status(), "backing-up");
  world.clock.advance(MINUTE);
  const instance = await seen();
  assert.equal(instance.DBInstanceStatus, "available");
  assert.match(instance.Endpoint?.Address ?? "", /^db\.c[0-9a-f]{11}\.eu-west-1\.rds\.amazonaws\.com$/);
  assert.equal(instance.Endpoint?.Port, 5432);
  assert.equal(instance.DBInstanceArn, "arn:aws:rds:eu-west-1:000000000000:db:db");
  await assert.rejects(call("CreateDBInstance", WANTED), refusal("DBInstanceAlreadyExists", 400));
});

test("what cannot be is refused with the code that says why", async () => {
  const { call } = setUp();
  for (const [more, code] of [
    [{ DBInstanceIdentifier: "1st" }, "InvalidParameterValue"],
    [{ DBInstanceIdentifier: "a--b" }, "InvalidParameterValue"],
    [{ Engine: "access" }, "InvalidParameterValue"],
    [{ EngineVersion: "1.0" }, "InvalidParameterCombination"],
    [{ DBInstanceClass: "huge" }, "InvalidParameterValue"],
    [{ AllocatedStorage: 5 }, "InvalidParameterValue"],
    [{ MasterUserPassword: "short" }, "InvalidParameterValue"],
    [{ MasterUserPassword: "with@sign-in-it" }, "InvalidParameterValue"],
    [{ MasterUserPassword: undefined }, "InvalidParameterValue"],
    [{ ManageMasterUserPassword: true }, "InvalidParameterCombination"],
    [{ MasterUsername: "rdsadmin" }, "InvalidParameterValue"],
    [{ StorageType: "io1" }, "InvalidParameterValue"],
    [{ BackupRetentionPeriod: 36 }, "InvalidParameterValue"],
    [{ DBSubnetGroupName: "none" }, "DBSubnetGroupNotFoundFault"],
    [{ DBParameterGroupName: "none" }, "DBParameterGroupNotFound"],
    [{ DBParameterGroupName: "default.mysql8.0" }, "InvalidParameterCombination"],
    [{ PreferredBackupWindow: "03:30-04:30" }, "InvalidParameterCombination"],
    [{ PreferredMaintenanceWindow: "whenever" }, "InvalidParameterValue"],
  ] as const) {
    await assert.rejects(call("CreateDBInstance", { ...WANTED, ...more }), refusal(code), JSON.stringify(more));
  }
  await assert.rejects(call("DescribeDBInstances", ID), refusal("DBInstanceNotFound", 404));
});

test("a password that RDS manages is in a secret, of which the ARN is told", async () => {
  const { call, seen } = setUp();
  await call("CreateDBInstance", { ...WANTED, MasterUserPassword: undefined, ManageMasterUserPassword: true });
  assert.match(
    (await seen()).MasterUserSecret?.SecretArn ?? "",
    /:secretsmanager:eu-west-1:000000000000:secret:rds!db-/,
  );
});

test("changes wait for the maintenance window unless they are wanted now", async () => {
  const { world, call, seen, status } = await available();
  await call("ModifyDBInstance", { ...ID, DBInstanceClass: "db.t4g.small", DeletionProtection: true });
  let instance = await seen();
  assert.deepEqual(instance.PendingModifiedValues, { DBInstanceClass: "db.t4g.small" });
  assert.deepEqual([instance.DBInstanceStatus, instance.DBInstanceClass], ["available", "db.t4g.micro"]);
  assert.equal(instance.DeletionProtection, true);
  // The year begins with a Tuesday: the window is on the next day at three.
  world.clock.advance(27 * 60 * MINUTE - 6 * MINUTE);
  assert.equal(await status(), "modifying");
  world.clock.advance(5 * MINUTE);
  instance = await seen();
  assert.deepEqual([instance.DBInstanceStatus, instance.DBInstanceClass], ["available", "db.t4g.small"]);
  assert.deepEqual(instance.PendingModifiedValues, {});
});

test("a change that is wanted now takes what waited with it, and others must wait meanwhile", async () => {
  const { world, call, seen } = await available();
  await call("ModifyDBInstance", { ...ID, MultiAZ: true });
  await call("ModifyDBInstance", { ...ID, AllocatedStorage: 30, ApplyImmediately: true });
  assert.deepEqual((await seen()).PendingModifiedValues, { MultiAZ: true, AllocatedStorage: 30 });
  assert.equal((await seen()).DBInstanceStatus, "modifying");
  await assert.rejects(call("ModifyDBInstance", { ...ID, MultiAZ: false }), refusal("InvalidDBInstanceState", 400));
  world.clock.advance(5 * MINUTE);
  const instance = await seen();
  assert.deepEqual([instance.AllocatedStorage, instance.MultiAZ], [30, true]);
  assert.equal(instance.DBInstanceStatus, "storage-optimization");
  await assert.rejects(
    call("ModifyDBInstance", { ...ID, AllocatedStorage: 40 }),
    refusal("InvalidParameterCombination"),
  );
  await call("ModifyDBInstance", { ...ID, CopyTagsToSnapshot: true });
  world.clock.advance(10 * MINUTE);
  assert.equal((await seen()).DBInstanceStatus, "available");
});

test("storage with provisioned operations changes when its size and its operations are both said", async () => {
  for (const [storage, both] of [
    [{ StorageType: "io1", AllocatedStorage: 100, Iops: 1000 }, true],
    [{ StorageType: "gp3", AllocatedStorage: 400 }, true],
    [{ StorageType: "gp3", AllocatedStorage: 100 }, false],
  ] as const) {
    const { call, seen } = await available(storage);
    const { Iops: iops } = await seen();
    const more = { ...ID, AllocatedStorage: 1000, ApplyImmediately: true };
    if (both) {
      await assert.rejects(call("ModifyDBInstance", more), refusal("InvalidParameterCombination"));
      await assert.rejects(call("ModifyDBInstance", { ...ID, Iops: 13_000 }), refusal("InvalidParameterCombination"));
    }
    await call("ModifyDBInstance", { ...more, ...(both && { Iops: iops }) });
    assert.equal((await seen()).PendingModifiedValues?.AllocatedStorage, 1000);
  }
});

test("a change that waits is taken back by saying what is so already", async () => {
  const { call, seen } = await available();
  await call("ModifyDBInstance", { ...ID, MultiAZ: true, DBInstanceClass: "db.t4g.small" });
  await call("ModifyDBInstance", { ...ID, MultiAZ: false });
  assert.deepEqual((await seen()).PendingModifiedValues, { DBInstanceClass: "db.t4g.small" });
});

test("storage only grows and versions only rise, major ones on demand", async () => {
  const { call } = await available({ AllocatedStorage: 100 });
  const modify = (more: object) => call("ModifyDBInstance", { ...ID, ...more });
  await assert.rejects(modify({ AllocatedStorage: 90 }), refusal("InvalidParameterCombination"));
  await assert.rejects(modify({ AllocatedStorage: 105 }), refusal("InvalidParameterCombination"));
  await modify({ AllocatedStorage: 110 });
  await assert.rejects(modify({ EngineVersion: "16.8" }), refusal("InvalidParameterCombination"));
  await assert.rejects(modify({ EngineVersion: "17.5" }), refusal("InvalidParameterCombination"));
  await modify({ EngineVersion: "17.5", AllowMajorVersionUpgrade: true });
});

test("a renamed instance is found by its new name only, once that is done", async () => {
  const { world, call } = await available();
  await call("ModifyDBInstance", { ...ID, NewDBInstanceIdentifier: "other", ApplyImmediately: true });
  world.clock.advance(5 * MINUTE);
  await assert.rejects(call("DescribeDBInstances", ID), refusal("DBInstanceNotFound"));
  const { DBInstances: [found] = [] } = await call("DescribeDBInstances", { DBInstanceIdentifier: "other" });
  assert.match(found?.Endpoint?.Address ?? "", /^other\./);
});

test("a stopped instance starts by itself after a week", async () => {
  const { world, call, status } = await available();
  await call("StopDBInstance", ID);
  await assert.rejects(call("StopDBInstance", ID), refusal("InvalidDBInstanceState", 400));
  assert.equal(await status(), "stopping");
  world.clock.advance(3 * MINUTE);
  assert.equal(await status(), "stopped");
  await assert.rejects(call("ModifyDBInstance", { ...ID, MultiAZ: true }), refusal("InvalidDBInstanceState"));
  world.clock.advance(7 * DAY);
  assert.equal(await status(), "starting");
  world.clock.advance(4 * MINUTE);
  assert.equal(await status(), "available");
  await assert.rejects(call("StartDBInstance", ID), refusal("InvalidDBInstanceState"));
});

test("a new parameter group counts after a reboot", async () => {
  const { world, call, seen } = await available();
  const group = { DBParameterGroupName: "tuned", DBParameterGroupFamily: "postgres16", Description: "d" };
  await call("CreateDBParameterGroup", group);
  await assert.rejects(call("CreateDBParameterGroup", group), refusal("DBParameterGroupAlreadyExists"));
  await call("ModifyDBInstance", { ...ID, DBParameterGroupName: "tuned" });
  const state = async () => (await seen()).DBParameterGroups?.[0]?.ParameterApplyStatus;
  assert.equal(await state(), "pending-reboot");
  await assert.rejects(
    call("DeleteDBParameterGroup", { DBParameterGroupName: "tuned" }),
    refusal("InvalidDBParameterGroupState"),
  );
  await call("RebootDBInstance", ID);
  assert.equal((await seen()).DBInstanceStatus, "rebooting");
  world.clock.advance(MINUTE);
  assert.equal(await state(), "in-sync");
});

test("deleting needs a decision on the last snapshot, and no protection", async () => {
  const { world, call, status } = await available({ DeletionProtection: true });
  const remove = (more: object) => call("DeleteDBInstance", { ...ID, ...more });
  await assert.rejects(remove({ SkipFinalSnapshot: true }), refusal("InvalidParameterCombination"));
  await call("ModifyDBInstance", { ...ID, DeletionProtection: false });
  await assert.rejects(remove({}), refusal("InvalidParameterCombination"));
  await assert.rejects(
    remove({ SkipFinalSnapshot: true, FinalDBSnapshotIdentifier: "last" }),
    refusal("InvalidParameterCombination"),
  );
  await remove({ FinalDBSnapshotIdentifier: "last" });
  assert.equal(await status(), "deleting");
  await assert.rejects(remove({ SkipFinalSnapshot: true }), refusal("InvalidDBInstanceState", 400));
  world.clock.advance(5 * MINUTE);
  await assert.rejects(status(), refusal("DBInstanceNotFound", 404));
  const { DBSnapshots: snapshots } = await call("DescribeDBSnapshots", { ...ID });
  assert.deepEqual(
    snapshots?.map(({ DBSnapshotIdentifier: id, Status }) => [id, Status]),
    [["last", "available"]],
  );
});

test("RDS takes a snapshot of a new instance and one a day, keeps them as long as backups, and they end with it", async () => {
  const { world, call } = await available({ BackupRetentionPeriod: 2, PreferredBackupWindow: "05:00-05:30" });
  const automated = async () =>
    (await call("DescribeDBSnapshots", { ...ID, SnapshotType: "automated" })).DBSnapshots ?? [];
  const names = async () => (await automated()).map(({ DBSnapshotIdentifier: name }) => name);
  const name = (moment: string): string => `rds:${ID.DBInstanceIdentifier}-${moment}`;
  assert.deepEqual(await names(), [name("2030-01-01-00-05")]);
  world.clock.advance(30 * 60 * MINUTE);
  assert.deepEqual(await names(), [name("2030-01-01-00-05"), name("2030-01-01-05-00"), name("2030-01-02-05-00")]);
  const from = { DBSnapshotIdentifier: name("2030-01-02-05-00") };
  const copy = await call("RestoreDBInstanceFromDBSnapshot", { ...from, DBInstanceIdentifier: "copy" });
  assert.equal(copy.DBInstance?.Engine, "postgres");
  await assert.rejects(call("DeleteDBSnapshot", from), refusal("InvalidDBSnapshotState"));
  world.clock.advance(48 * 60 * MINUTE);
  assert.deepEqual(await names(), [name("2030-01-03-05-00"), name("2030-01-04-05-00")]);
  await call("DeleteDBInstance", { ...ID, SkipFinalSnapshot: true });
  world.clock.advance(60 * MINUTE);
  assert.deepEqual(await names(), []);
});

test("an instance is restored from a snapshot with the data of its source", async () => {
  const { world, call } = await available({ Tags: [{ Key: "a", Value: "1" }], CopyTagsToSnapshot: true });
  const snapshot = { ...ID, DBSnapshotIdentifier: "snap" };
  const { DBSnapshot: taken } = await call("CreateDBSnapshot", snapshot);
  assert.equal(taken?.Status, "creating");
  assert.deepEqual(taken.TagList, [{ Key: "a", Value: "1" }]);
  await assert.rejects(
    call("CreateDBSnapshot", { ...snapshot, DBSnapshotIdentifier: "b" }),
    refusal("InvalidDBInstanceState"),
  );
  await assert.rejects(call("DeleteDBSnapshot", snapshot), refusal("InvalidDBSnapshotState"));
  world.clock.advance(2 * MINUTE);
  await assert.rejects(call("CreateDBSnapshot", snapshot), refusal("DBSnapshotAlreadyExists"));
  const { DBInstance: restored } = await call("RestoreDBInstanceFromDBSnapshot", {
    DBInstanceIdentifier: "copy",
    DBSnapshotIdentifier: "snap",
  });
  assert.deepEqual(
    [restored?.DBInstanceStatus, restored?.Engine, restored?.MasterUsername],
    ["creating", "postgres", "boss"],
  );
  await call("DeleteDBSnapshot", snapshot);
  await assert.rejects(call("DeleteDBSnapshot", snapshot), refusal("DBSnapshotNotFound", 404));
});

test("subnet groups need two zones, and stay while they are used", async () => {
  const { call } = setUp();
  const create = (...SubnetIds: readonly string[]) =>
    call("CreateDBSubnetGroup", { DBSubnetGroupName: "Nets", DBSubnetGroupDescription: "d", SubnetIds });
  await assert.rejects(create("subnet-1"), refusal("DBSubnetGroupDoesNotCoverEnoughAZs"));
  await assert.rejects(create("subnet-1", "nonsense"), refusal("InvalidSubnet"));
  await create("subnet-1", "subnet-2");
  await assert.rejects(create("subnet-1", "subnet-2"), refusal("DBSubnetGroupAlreadyExists"));
  await call("CreateDBInstance", { ...WANTED, DBSubnetGroupName: "nets" });
  await assert.rejects(
    call("DeleteDBSubnetGroup", { DBSubnetGroupName: "nets" }),
    refusal("InvalidDBSubnetGroupStateFault"),
  );
});

test("tags are told with the instance, by ARN, and to the tagging API", async () => {
  const { call, seen, tagged } = await available();
  const ResourceName = "arn:aws:rds:eu-west-1:000000000000:db:db";
  await call("AddTagsToResource", { ResourceName, Tags: [{ Key: "a", Value: "1" }] });
  assert.equal(await tagged.tag(ResourceName, new Map([["b", "2"]])), true);
  assert.deepEqual((await seen()).TagList, [
    { Key: "a", Value: "1" },
    { Key: "b", Value: "2" },
  ]);
  await call("RemoveTagsFromResource", { ResourceName, TagKeys: ["a"] });
  assert.deepEqual(await call("ListTagsForResource", { ResourceName }), { TagList: [{ Key: "b", Value: "2" }] });
  assert.deepEqual(
    [...tagged.list("000000000000", "eu-west-1")].map(({ arn }) => arn),
    [ResourceName],
  );
  const none = { ResourceName: `${ResourceName}x` };
  await assert.rejects(call("ListTagsForResource", none), refusal("DBInstanceNotFound", 404));
});

test("instances are listed in pages and by filters", async () => {
  const { call } = setUp();
  for (let i = 10; i < 35; i++) await call("CreateDBInstance", { ...WANTED, DBInstanceIdentifier: `db${i}` });
  const first = await call("DescribeDBInstances", { MaxRecords: 20 });
  assert.equal(first.DBInstances?.length, 20);
  const second = await call("DescribeDBInstances", { MaxRecords: 20, Marker: first.Marker });
  assert.deepEqual([second.DBInstances?.length, second.Marker], [5, undefined]);
  const filter = (Name: string, ...Values: readonly string[]) =>
    call("DescribeDBInstances", { Filters: [{ Name, Values }] });
  assert.equal((await filter("db-instance-id", "db10", "db11")).DBInstances?.length, 2);
  assert.equal((await filter("engine", "mysql")).DBInstances?.length, 0);
  await assert.rejects(filter("colour", "blue"), refusal("InvalidParameterValue"));
  await assert.rejects(call("DescribeDBInstances", { MaxRecords: 5 }), refusal("InvalidParameterValue"));
});

test("misfortune can be arranged, and a failed instance goes without a snapshot only", async () => {
  const { call, status, afflict } = await available();
  assert.equal(await afflict("arn:aws:rds:eu-west-1:000000000000:db:db", "failed"), true);
  assert.equal(await status(), "failed");
  await assert.rejects(
    call("DeleteDBInstance", { ...ID, FinalDBSnapshotIdentifier: "last" }),
    refusal("InvalidDBInstanceState"),
  );
  await call("DeleteDBInstance", { ...ID, SkipFinalSnapshot: true });
  assert.equal(await afflict("arn:aws:rds:eu-west-1:000000000000:db:none", "failed"), false);
});

test("versions and orderable options are listed", async () => {
  const { call } = setUp();
  const versions = await call("DescribeDBEngineVersions", { Engine: "postgres", DefaultOnly: true });
  assert.deepEqual(
    versions.DBEngineVersions?.map(({ EngineVersion }) => EngineVersion),
    ["17.6"],
  );
  const options = await call("DescribeOrderableDBInstanceOptions", { Engine: "mysql", DBInstanceClass: "db.t3.micro" });
  assert.equal(
    options.OrderableDBInstanceOptions?.every(({ Engine }) => Engine === "mysql"),
    true,
  );
});
