import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DescribeDBInstancesCommand,
  DescribeDBSnapshotsCommand,
  ModifyDBInstanceCommand,
  RDSClient,
} from "@aws-sdk/client-rds";
import type { Immutable, JsonObject } from "@gatewright/kube";
import { RDSInstance } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { wishOf } from "../../engine/compare.ts";
import { admissionOf } from "../testing/admission.ts";
import { settle } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import type { KindWorld } from "../testing/kind-world.ts";
import { databaseOf } from "./database.ts";
import { finalSnapshotOf } from "./remove.ts";
import { rdsInstance } from "./index.ts";
import { storageSaidWith } from "./settings.ts";

const admission = admissionOf(RDSInstance);
const kind = anyKind(rdsInstance);
const MINUTE = 60_000;

/** A manifest as the original operator took it. */
const ORIGINAL = {
  providerRef: { name: "aws" },
  dbInstanceIdentifier: "Orders",
  engine: "postgres",
  engineVersion: "16",
  dbInstanceClass: "db.t3.micro",
  allocatedStorage: 20,
  masterUsername: "boss",
  masterUserPassword: "correct-horse",
  dbName: "orders",
  port: 5432,
  multiAZ: false,
  publiclyAccessible: false,
  storageEncrypted: true,
  backupRetentionPeriod: 7,
  preferredBackupWindow: "05:00-06:00",
  tags: { team: "shop" },
  deletionPolicy: "Delete",
  skipFinalSnapshot: false,
};

function objectOf(more: JsonObject = {}, status?: object): Immutable<RDSInstance> {
  const judged = admission.judge<object>({
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "RDSInstance",
    metadata: { name: "orders", namespace: "shop", uid: "uid-1" },
    spec: { ...ORIGINAL, preferredMaintenanceWindow: "wed:03:00-wed:04:00", ...more },
  });
  if ("refused" in judged) throw new Error(judged.refused);
  return { ...(judged.admitted as RDSInstance), ...(status && { status }) };
}

async function world(run: (stage: KindWorld) => Promise<void>, durations = 0): Promise<void> {
  const stage = await kindWorld({ listening: true, pace: { durations, lag: false } });
  try {
    await run(stage);
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

const live = (stage: KindWorld, object: Immutable<RDSInstance>, given = givenOf()) =>
  settle(stage, kind, object, given);
const look = async (stage: KindWorld) =>
  (await stage.passing(new RDSClient(stage.sdk()).send(new DescribeDBInstancesCommand()))).DBInstances ?? [];
const snapshots = async (stage: KindWorld) =>
  (await stage.passing(new RDSClient(stage.sdk()).send(new DescribeDBSnapshotsCommand({ SnapshotType: "manual" }))))
    .DBSnapshots ?? [];
const seenBy = async (stage: KindWorld) => {
  const seen = await stage.passing(rdsInstance.read(stage.ground, "orders", new Set()));
  return seen === "absent" ? assert.fail("absent") : seen;
};

test("a manifest of the original makes an instance, in lower case, which satisfies a major version", () =>
  world(async (stage) => {
    const { id, seen, object } = await live(stage, objectOf());
    assert.equal(id, "orders");
    const [told] = await look(stage);
    assert.match(told?.EngineVersion ?? "", /^16\./);
    const outputs = kind.outputsOf(seen, stage.ground);
    assert.equal(outputs["endpoint"], told?.Endpoint?.Address);
    assert.equal(outputs["port"], "5432");
    assert.equal(outputs["username"], "boss");
    assert.doesNotMatch(JSON.stringify([seen, object.status]), /correct-horse/);
  }));

test("a key that is named by an alias is the key that the alias led to", () =>
  world(async (stage) => {
    const wish = objectOf({ kmsKeyID: "alias/rds" });
    const { object } = await live(stage, wish);
    assert.match((await look(stage))[0]?.KmsKeyId ?? "", /:key\/[0-9a-f-]{36}$/);
    const again = await live(stage, { ...wish, ...(object.status && { status: object.status }) });
    assert.equal(again.writes, 0);
  }));

test("creation takes minutes, and one that is there already is whoever's its tags say", () =>
  world(async (stage) => {
    const creation = { object: objectOf(), given: givenOf(), wanted: new Map(), tags: { a: "b" }, token: "t" };
    const wanted = new Map(
      rdsInstance.fields.flatMap(({ path, want }) => {
        const value = want(creation.object.spec, creation.given);
        return value === undefined ? [] : [[path, value] as const];
      }),
    );
    assert.equal(await stage.passing(rdsInstance.create(stage.ground, { ...creation, wanted })), "orders");
    const again = { ...creation, wanted, tags: { a: "other" } };
    assert.equal(await stage.passing(rdsInstance.create(stage.ground, again)), "orders");
    const seen = await seenBy(stage);
    assert.deepEqual(rdsInstance.tagsOf(seen), { a: "b" });
    assert.equal(rdsInstance.stateOf(seen).is, "busy");
    await stage.pass(7 * MINUTE);
    assert.equal(rdsInstance.stateOf(await seenBy(stage)).is, "ready");
  }, 1));

test("what interrupts waits for the window and counts as done; storage and versions only go up", () =>
  world(async (stage) => {
    const { object } = await live(stage, objectOf());
    const { status } = object;
    const bigger = { dbInstanceClass: "db.m7g.large", allocatedStorage: 40, engineVersion: "16.9" };
    const changed = await live(stage, objectOf(bigger, status));
    assert.equal((await look(stage))[0]?.DBInstanceClass, "db.t3.micro");
    const told = kind.statusOf(changed.seen, stage.ground) as { pendingChanges?: Record<string, string> };
    assert.equal(told.pendingChanges?.["DBInstanceClass"], "db.m7g.large");
    await live(stage, objectOf({ ...bigger, applyImmediately: true, multiAZ: true }, changed.object.status));
    const [now] = await look(stage);
    assert.deepEqual([now?.DBInstanceClass, now?.AllocatedStorage, now?.MultiAZ], ["db.m7g.large", 40, true]);
    // Less than there is, and older than there is, is as good as satisfied.
    const less = await live(
      stage,
      objectOf(
        { applyImmediately: true, dbInstanceClass: "db.m7g.large", engineVersion: "16.8" },
        changed.object.status,
      ),
    );
    assert.ok(less.seen);
    assert.equal((await look(stage))[0]?.AllocatedStorage, 40);
  }));

test("changes that wait are made when they are wanted at once, all of them, and with one call", () =>
  world(async (stage) => {
    const { object } = await live(stage, objectOf());
    await stage.pass(15 * MINUTE);
    const wish = { dbInstanceClass: "db.m7g.large", engineVersion: "17", allowMajorVersionUpgrade: true };
    const waiting = await live(stage, objectOf(wish, object.status));
    assert.deepEqual(Object.keys((await seenBy(stage)).waiting).toSorted(), ["dbInstanceClass", "engineVersion"]);
    assert.equal((await look(stage))[0]?.DBInstanceClass, "db.t3.micro");
    const now = await live(stage, objectOf({ ...wish, applyImmediately: true }, waiting.object.status));
    assert.equal(now.writes, 1);
    const [told] = await look(stage);
    assert.equal(told?.DBInstanceClass, "db.m7g.large");
    assert.match(told?.EngineVersion ?? "", /^17\./);
    assert.equal((await live(stage, now.object as Immutable<RDSInstance>)).writes, 0);
  }, 1));

test("what waits and is not wanted any more is taken back, and not made at once", () =>
  world(async (stage) => {
    const { object } = await live(stage, objectOf());
    const waiting = await live(stage, objectOf({ dbInstanceClass: "db.m7g.large" }, object.status));
    await live(stage, objectOf({ applyImmediately: true }, waiting.object.status));
    const [told] = await look(stage);
    assert.deepEqual([told?.DBInstanceClass, told?.PendingModifiedValues], ["db.t3.micro", {}]);
  }));

test("what AWS tells as pending and would not do sooner is nothing that waits", () => {
  const { waiting } = databaseOf({
    DBInstanceStatus: "storage-optimization",
    PendingModifiedValues: {
      MasterUserPassword: "****",
      AllocatedStorage: 40,
      Iops: 3000,
      PendingCloudwatchLogsExports: { LogTypesToEnable: ["audit"] },
      ProcessorFeatures: [{ Name: "coreCount", Value: "4" }],
      ResumeFullAutomationModeTime: 0,
    },
  });
  assert.deepEqual(waiting, {});
});

test("storage that does not grow by itself any more may be made larger with the same change", () =>
  world(async (stage) => {
    const { object } = await live(stage, objectOf({ maxAllocatedStorage: 100, applyImmediately: true }));
    await live(stage, objectOf({ allocatedStorage: 40, applyImmediately: true }, object.status));
    const [told] = await look(stage);
    assert.deepEqual([told?.AllocatedStorage, told?.MaxAllocatedStorage], [40, undefined]);
  }));

test("what AWS wants said together with a change is said as it is there: somebody else may keep it", () =>
  world(async (stage) => {
    const storage = { allocatedStorage: 400, storageType: "gp3", iops: 12_000, applyImmediately: true };
    const { object } = await live(stage, objectOf(storage));
    const rds = new RDSClient(stage.sdk());
    const turned = { DBInstanceIdentifier: "orders", AllocatedStorage: 400, Iops: 14_000, ApplyImmediately: true };
    await stage.passing(rds.send(new ModifyDBInstanceCommand(turned)));
    await stage.pass(MINUTE);
    // As with `ignoreFields: [iops]`: only the size is to be written.
    const grown = objectOf({ ...storage, allocatedStorage: 500 }, object.status);
    const { wanted } = wishOf(kind, grown, givenOf());
    const fields = new Map([["allocatedStorage", 500]]);
    const seen = await seenBy(stage);
    await stage.passing(rdsInstance.change(stage.ground, seen, { object: grown, given: givenOf(), fields, wanted }));
    const [told] = await look(stage);
    assert.deepEqual([told?.AllocatedStorage, told?.Iops], [500, 14_000]);
  }));

test("storage with provisioned operations grows though the spec does not say how many", () =>
  world(async (stage) => {
    const sized = (allocatedStorage: number, more: JsonObject = {}, status?: object) =>
      objectOf({ allocatedStorage, applyImmediately: true, ...more }, status);
    // gp3 has operations of its own where the spec says none.
    let { object } = await live(stage, sized(100, { storageType: "gp3" }));
    for (const size of [450, 600]) {
      ({ object } = await live(stage, sized(size, { storageType: "gp3" }, object.status)));
      assert.deepEqual([(await look(stage))[0]?.AllocatedStorage, (await look(stage))[0]?.Iops], [size, 12_000]);
    }
    ({ object } = await live(stage, sized(600, { storageType: "io1", iops: 3000 }, object.status)));
    await live(stage, sized(800, {}, object.status));
    const [told] = await look(stage);
    assert.deepEqual([told?.AllocatedStorage, told?.StorageType, told?.Iops], [800, "io1", 3000]);
  }));

test("the figures that are said along with storage are those that its type takes at its size", () => {
  const said = (engine: string, storageType: string, size: number, values: JsonObject = { storageThroughput: 500 }) =>
    storageSaidWith(
      databaseOf({ Engine: engine, StorageType: storageType, AllocatedStorage: size, Iops: 3000 }),
      new Map(Object.entries(values)),
    );
  const both = ["allocatedStorage", "iops"];
  assert.deepEqual(said("postgres", "io2", 100), both);
  assert.deepEqual(said("postgres", "gp3", 399), []);
  assert.deepEqual(said("postgres", "gp3", 400), both);
  assert.deepEqual(said("oracle-ee", "gp3", 199), []);
  assert.deepEqual(said("oracle-ee", "gp3", 200), both);
  assert.deepEqual(said("sqlserver-web", "gp3", 20), both);
  assert.deepEqual(said("postgres", "gp2", 500), []);
  assert.deepEqual(said("postgres", "io1", 500, { storageType: "gp3" }), []);
  assert.deepEqual(said("postgres", "io1", 500, { port: 5433 }), []);
});

test("a major version is only gone to when the spec allows it", () =>
  world(async (stage) => {
    const { object } = await live(stage, objectOf({ applyImmediately: true }));
    const next = { engineVersion: "17", applyImmediately: true };
    await assert.rejects(live(stage, objectOf(next, object.status)), /AllowMajorVersionUpgrade/);
    await live(stage, objectOf({ ...next, allowMajorVersionUpgrade: true }, object.status));
    assert.match((await look(stage))[0]?.EngineVersion ?? "", /^17\./);
  }));

test("parameters of the next major version wait with it for the window, and are not written alone", () =>
  world(async (stage) => {
    const { object } = await live(stage, objectOf({ dbParameterGroupName: "default.postgres16" }));
    const next = { engineVersion: "17.4", dbParameterGroupName: "default.postgres17", allowMajorVersionUpgrade: true };
    const waiting = await live(stage, objectOf(next, object.status));
    assert.equal(waiting.writes, 1);
    const [told] = await look(stage);
    assert.match(told?.EngineVersion ?? "", /^16\./);
    assert.equal(told?.DBParameterGroups?.[0]?.DBParameterGroupName, "default.postgres16");
    // Another version of it brings the parameters along.
    const other = await live(stage, objectOf({ ...next, engineVersion: "17.5" }, waiting.object.status));
    assert.equal(other.writes, 1);
    stage.clock.advance(8 * 24 * 60 * MINUTE);
    const done = await live(stage, objectOf({ ...next, engineVersion: "17.5" }, other.object.status));
    assert.equal(done.writes, 0);
    const [now] = await look(stage);
    assert.match(now?.EngineVersion ?? "", /^17\./);
    assert.equal(now?.DBParameterGroups?.[0]?.DBParameterGroupName, "default.postgres17");
  }));

test("a password is written when its Secret changes, and taken over by RDS and back", () =>
  world(async (stage) => {
    const spec = { masterUserPasswordSecretRef: { name: "boss", key: "password" } };
    const without = (more: JsonObject, status?: object) => {
      const { masterUserPassword: _, ...rest } = objectOf({}, status).spec;
      const whole = { ...objectOf({}, status), spec: { ...rest, ...more } };
      return whole as Immutable<RDSInstance>;
    };
    const given = (value: string) => givenOf({ masterUserPasswordSecretRef: value });
    const first = await live(stage, without(spec), given("first-password"));
    assert.equal((await live(stage, without(spec, first.object.status), given("first-password"))).writes, 0);
    const second = await live(stage, without(spec, first.object.status), given("second-password"));
    assert.equal(second.writes, 1);
    const managed = await live(stage, without({ manageMasterUserPassword: true }, second.object.status));
    assert.match(kind.outputsOf(managed.seen, stage.ground)["masterUserSecretArn"] ?? "", /:secret:rds!db-/);
    await live(stage, without(spec, managed.object.status), given("third-password"));
    assert.equal((await look(stage))[0]?.MasterUserSecret, undefined);
  }));

test("a final snapshot is taken under a name that stays the same, and an instance can be made from it with another password", () =>
  world(async (stage) => {
    await live(stage, objectOf({ storageType: "gp3" }));
    const seen = await seenBy(stage);
    const name = finalSnapshotOf(seen, objectOf());
    assert.equal(await stage.passing(rdsInstance.remove(stage.ground, seen, objectOf())), undefined);
    assert.deepEqual(
      (await snapshots(stage)).map(({ DBSnapshotIdentifier: id }) => id),
      [name],
    );
    assert.equal(await stage.passing(rdsInstance.read(stage.ground, "orders", new Set())), "absent");
    assert.equal(await stage.passing(rdsInstance.remove(stage.ground, seen, objectOf())), undefined);
    const restored = await live(stage, objectOf({ dbSnapshotIdentifier: name, masterUserPassword: "another-horse" }));
    assert.equal(restored.writes > 1, true);
    const [told] = await look(stage);
    assert.deepEqual(told?.TagList?.map(({ Key: key }) => key).toSorted(), [
      "gatewright.dev/uid",
      "managed-by",
      "team",
    ]);
    assert.notEqual(finalSnapshotOf(await seenBy(stage), objectOf()), name);
  }));

test("deletion while AWS is at it is waited for; without a final snapshot only when the spec says so", () =>
  world(async (stage) => {
    await live(stage, objectOf());
    const seen = await seenBy(stage);
    const skip = objectOf({ skipFinalSnapshot: true });
    assert.equal(await stage.passing(rdsInstance.remove(stage.ground, seen, skip)), undefined);
    const going = await seenBy(stage);
    assert.equal(rdsInstance.stateOf(going).is, "going");
    assert.equal(await stage.passing(rdsInstance.remove(stage.ground, going, skip)), undefined);
    await stage.pass(10 * MINUTE);
    assert.equal(await stage.passing(rdsInstance.read(stage.ground, "orders", new Set())), "absent");
    assert.deepEqual(await snapshots(stage), []);
  }, 1));

test("protection is respected unless the spec turns it off; what cannot be saved is not deleted", () =>
  world(async (stage) => {
    await live(stage, objectOf({ deletionProtection: true }));
    const seen = await seenBy(stage);
    const kept = await stage.passing(rdsInstance.remove(stage.ground, seen, objectOf({ deletionProtection: true })));
    assert.equal(kept?.reason, "DeletionProtected");
    const broken = { ...seen, status: "incompatible-network" };
    const off = objectOf({ deletionProtection: false });
    assert.equal(
      (await stage.passing(rdsInstance.remove(stage.ground, { ...broken, has: {} }, off)))?.reason,
      "SnapshotImpossible",
    );
    assert.equal((await look(stage)).length, 1);
    assert.equal(await stage.passing(rdsInstance.remove(stage.ground, seen, off)), undefined);
    assert.equal((await look(stage)).length, 0);
    assert.equal((await snapshots(stage)).length, 1);
  }));

test("many are read by listing, and those that are not there are missing", () =>
  world(async (stage) => {
    await live(stage, objectOf());
    const found = await stage.passing(rdsInstance.readMany!(stage.ground, ["orders", "other"], new Map()));
    assert.deepEqual([...found.keys()], ["orders"]);
    assert.deepEqual(found.get("orders"), await seenBy(stage));
  }));

test("what AWS would refuse is refused at admission", () => {
  const refused: readonly (readonly [JsonObject, RegExp])[] = [
    [{ dbInstanceIdentifier: "a--b" }, /dbInstanceIdentifier/],
    [{ engine: "access" }, /engine/],
    [{ allocatedStorage: 10 }, /too small/],
    [{ storageType: "io1", allocatedStorage: 100 }, /needs iops/],
    [{ storageType: "gp2", iops: 3000 }, /iops are for/],
    [{ storageType: "gp3", iops: 3000 }, /from 400 GiB/],
    [{ storageThroughput: 500 }, /gp3/],
    [{ maxAllocatedStorage: 20 }, /larger/],
    [{ maxAllocatedStorage: 21 }, /by a tenth/],
    [{ port: 80 }, /port/],
    [{ manageMasterUserPassword: true }, /not both/],
    [{ masterUserPassword: "short" }, /masterUserPassword/],
    [{ masterUsername: "admin" }, /keeps this user/],
    [{ preferredBackupWindow: "5:00-6:00" }, /preferredBackupWindow/],
    [{ preferredMaintenanceWindow: "someday:05:00-sun:06:00" }, /preferredMaintenanceWindow/],
    [{ monitoringInterval: 60 }, /monitoringRoleARN/],
    [{ multiAZ: true, availabilityZone: "eu-west-1a" }, /standby/],
    [{ deletionPolicy: "Explode" }, /deletionPolicy/],
    [{ backupRetentionPeriod: 36 }, /backupRetentionPeriod/],
  ];
  for (const [more, why] of refused) assert.throws(() => objectOf(more), why, JSON.stringify(more));
  for (const policy of ["Delete", "Retain", "Orphan", "Snapshot"]) objectOf({ deletionPolicy: policy });
  const judge = (more: JsonObject) => admission.judge<object>(objectOf(more), objectOf());
  assert.match(JSON.stringify(judge({ engine: "mysql" })), /immutable/);
  assert.match(JSON.stringify(judge({ dbInstanceIdentifier: "other" })), /immutable/);
  assert.ok("admitted" in judge({ allocatedStorage: 30 }));
});
