import { randomString } from "@gatewright/ports";
import type { DBSnapshot, Operations } from "@gatewright/aws-wire/types/rds";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { parseArn, rdsArn } from "./arn.ts";
import { automatedSnapshots } from "./automated-snapshots.ts";
import { DURATIONS } from "./durations.ts";
import { creation, newSecret } from "./found-instance.ts";
import type { Ground } from "./ground.ts";
import { instanceFor, keepNew } from "./instance-operations.ts";
import { checkClass, checkPort, identifierOf } from "./instance-rules.ts";
import { instanceTold } from "./instance-shape.ts";
import { lifeFrom, statusAt } from "./life.ts";
import { filtered, page } from "./page.ts";
import { parameterGroupOf } from "./parameter-groups.ts";
import { placeKey } from "./rds-store.ts";
import type { Place } from "./rds-store.ts";
import type { InstanceRecord, SnapshotRecord } from "./records.ts";
import { blank } from "./instance-rules.ts";
import { invalidState, noSnapshot } from "./refusals.ts";
import { securityGroupsOf } from "./security-groups.ts";
import { checkSnapshotName, snapshotOf } from "./snapshot-record.ts";
import { checkGrowth, checkStorage } from "./storage-rules.ts";
import { subnetGroupOf } from "./subnet-groups.ts";
import { tagList, withTags } from "./tags.ts";
import { watchingOf } from "./watching.ts";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const FILTERS: ReadonlyMap<string, (record: SnapshotRecord) => string | undefined> = new Map([
  ["db-snapshot-id", ({ facts }) => facts.DBSnapshotIdentifier],
  ["db-instance-id", ({ facts }) => facts.DBInstanceIdentifier],
  ["dbi-resource-id", ({ facts }) => facts.DbiResourceId],
  ["snapshot-type", ({ facts }) => facts.SnapshotType],
  ["engine", ({ facts }) => facts.Engine],
]);

/** Snapshots, and instances that are made of them. */
export function snapshotOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  const put = (record: SnapshotRecord): readonly [typeof store.snapshots, string, SnapshotRecord] => [
    store.snapshots,
    `${placeKey(record)}/${record.facts.DBSnapshotIdentifier}`,
    record,
  ];
  return {
    async CreateDBSnapshot(input, context) {
      const instance = instanceFor(ground, context, input.DBInstanceIdentifier);
      const now = world.clock.now();
      const status = statusAt(instance, now);
      if (status !== "available" && status !== "stopped" && status !== "storage-optimization") {
        throw invalidState(
          `Cannot create a snapshot because the database instance ${instance.facts.DBInstanceIdentifier} is not currently in the available state.`,
        );
      }
      const name = checkSnapshotName(ground, context, input.DBSnapshotIdentifier);
      const snapshot = snapshotOf(ground, instance, name, withTags([], input.Tags ?? []));
      const busy = lifeFrom(now, [["backing-up", DURATIONS.snapshot * world.pace.durations]], "available");
      await store.commit((commit) => {
        commit.put(...put(snapshot));
        if (status === "available") store.putInstance(commit, { ...instance, life: busy }, now);
      });
      return { DBSnapshot: snapshotTold(ground, snapshot) };
    },

    DescribeDBSnapshots(input, context) {
      const {
        DBSnapshotIdentifier: id,
        DBInstanceIdentifier: instance,
        SnapshotType: type,
        DbiResourceId: resource,
      } = input;
      const all = [
        ...store.snapshots.list(`${placeKey(context)}/`).map(([, snapshot]) => snapshot),
        ...store.instancesIn(context, world.clock.now()).flatMap((each) => automatedSnapshots(ground, each)),
      ];
      const shown = (id === undefined ? all : [snapshotFor(ground, context, id)]).filter(
        ({ facts }) =>
          (instance === undefined || facts.DBInstanceIdentifier === instance.toLowerCase()) &&
          (type === undefined || facts.SnapshotType === type) &&
          (resource === undefined || facts.DbiResourceId === resource),
      );
      const { items, marker } = page(
        filtered(shown, input.Filters, FILTERS),
        ({ facts }) => facts.DBSnapshotIdentifier,
        input,
      );
      return { DBSnapshots: items.map((snapshot) => snapshotTold(ground, snapshot)), ...marker };
    },

    async DeleteDBSnapshot(input, context) {
      const snapshot = snapshotFor(ground, context, input.DBSnapshotIdentifier);
      if (snapshot.facts.SnapshotType === "automated") {
        throw new AwsError("InvalidDBSnapshotState", "Only manual snapshots may be deleted.");
      }
      if (world.clock.now() < snapshot.availableAt) {
        throw new AwsError(
          "InvalidDBSnapshotState",
          `Cannot delete the snapshot because it is not currently in the available or failed state.`,
        );
      }
      const [records, key] = put(snapshot);
      await store.commit((commit) => commit.delete(records, key));
      return { DBSnapshot: { ...snapshotTold(ground, snapshot), Status: "deleted" } };
    },

    async RestoreDBInstanceFromDBSnapshot(input, context) {
      if (input.DBSnapshotIdentifier === undefined) throw blank("DBSnapshotIdentifier");
      const snapshot = snapshotFor(ground, context, input.DBSnapshotIdentifier);
      if (world.clock.now() < snapshot.availableAt) {
        throw new AwsError(
          "InvalidDBSnapshotState",
          `The snapshot ${input.DBSnapshotIdentifier} is not in the available state.`,
        );
      }
      const record = restored(ground, snapshot, input, context);
      await keepNew(ground, record);
      return { DBInstance: instanceTold(ground, record) };
    },
  };
}

/** An instance with the data of a snapshot: as its source was, except where the request says otherwise. */
function restored(
  ground: Ground,
  { source, tags }: SnapshotRecord,
  input: Operations["RestoreDBInstanceFromDBSnapshot"]["input"],
  place: Place,
): InstanceRecord {
  const { world } = ground;
  const { MasterUserSecret: _, ...before } = source.facts;
  const storage = {
    Engine: before.Engine,
    StorageType: input.StorageType ?? before.StorageType,
    AllocatedStorage: input.AllocatedStorage ?? before.AllocatedStorage,
    Iops: input.Iops ?? before.Iops,
    StorageThroughput: input.StorageThroughput ?? before.StorageThroughput,
    MaxAllocatedStorage: before.MaxAllocatedStorage,
  };
  checkGrowth(before.Engine, before.AllocatedStorage, storage.AllocatedStorage);
  checkStorage(storage);
  checkClass(input.DBInstanceClass ?? before.DBInstanceClass);
  if (input.Port !== undefined) checkPort(input.Port);
  const group = subnetGroupOf(ground, place, input.DBSubnetGroupName ?? "default");
  const retention = input.BackupRetentionPeriod ?? before.BackupRetentionPeriod;
  return {
    account: place.account,
    region: place.region,
    port: input.Port ?? source.port,
    subnetGroup: group.name,
    parameterGroup: parameterGroupOf(ground, place, input.DBParameterGroupName ?? source.parameterGroup).name,
    rebootNeeded: false,
    life: creation(ground, retention),
    tags: withTags(input.Tags === undefined && before.CopyTagsToSnapshot === true ? tags : [], input.Tags ?? []),
    facts: {
      ...before,
      ...storage,
      DBInstanceIdentifier: identifierOf(input.DBInstanceIdentifier, "DBInstanceIdentifier"),
      DbiResourceId: `db-${randomString(world.random, UPPER, 26)}`,
      DBInstanceClass: input.DBInstanceClass ?? before.DBInstanceClass,
      InstanceCreateTime: world.clock.now() + DURATIONS.creating * world.pace.durations,
      BackupRetentionPeriod: retention,
      VpcSecurityGroups: securityGroupsOf(ground, place, input.VpcSecurityGroupIds, group.vpcId),
      AvailabilityZone: input.AvailabilityZone ?? group.subnets[0]?.zone,
      MultiAZ: input.MultiAZ ?? false,
      PubliclyAccessible: input.PubliclyAccessible ?? before.PubliclyAccessible,
      CopyTagsToSnapshot: input.CopyTagsToSnapshot ?? before.CopyTagsToSnapshot,
      DeletionProtection: input.DeletionProtection ?? false,
      AutoMinorVersionUpgrade: input.AutoMinorVersionUpgrade ?? before.AutoMinorVersionUpgrade,
      LicenseModel: input.LicenseModel ?? before.LicenseModel,
      NetworkType: input.NetworkType ?? before.NetworkType,
      CACertificateIdentifier: input.CACertificateIdentifier ?? before.CACertificateIdentifier,
      PreferredBackupWindow: input.PreferredBackupWindow ?? before.PreferredBackupWindow,
      IAMDatabaseAuthenticationEnabled: input.EnableIAMDatabaseAuthentication ?? false,
      EnabledCloudwatchLogsExports: input.EnableCloudwatchLogsExports ?? [],
      ...watchingOf({ DBInstanceIdentifier: input.DBInstanceIdentifier }, place),
      ...(input.OptionGroupName !== undefined && {
        OptionGroupMemberships: [{ OptionGroupName: input.OptionGroupName, Status: "in-sync" }],
      }),
      ...(input.ManageMasterUserPassword === true && {
        MasterUserSecret: newSecret(ground, place, input.MasterUserSecretKmsKeyId),
      }),
    },
  };
}

/** The snapshot of a name or an ARN. */
function snapshotFor(ground: Ground, place: Place, name: string): SnapshotRecord {
  const { store, world } = ground;
  const arn = parseArn(name);
  const id = (arn?.kind === "snapshot" ? arn.name : name).toLowerCase();
  const found = id.startsWith("rds:")
    ? store
        .instancesIn(place, world.clock.now())
        .flatMap((each) => automatedSnapshots(ground, each))
        .find(({ facts }) => facts.DBSnapshotIdentifier === id)
    : store.snapshots.get(`${placeKey(place)}/${id}`);
  if (found === undefined) throw noSnapshot(name);
  return found;
}

function snapshotTold({ world }: Ground, record: SnapshotRecord): DBSnapshot {
  const { facts, availableAt } = record;
  const now = world.clock.now();
  const taken =
    (facts.SnapshotCreateTime ?? now) >= availableAt
      ? 1
      : (now - (facts.SnapshotCreateTime ?? now)) / (availableAt - (facts.SnapshotCreateTime ?? now));
  return {
    ...facts,
    Status: now < availableAt ? "creating" : "available",
    PercentProgress: Math.min(100, Math.floor(taken * 100)),
    DBSnapshotArn: rdsArn(record, "snapshot", facts.DBSnapshotIdentifier),
    TagList: tagList(record.tags),
  };
}
