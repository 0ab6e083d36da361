import { AwsError } from "../aws-error.ts";
import { DURATIONS } from "./durations.ts";
import type { Ground } from "./ground.ts";
import { identifierOf } from "./instance-rules.ts";
import { placeKey } from "./rds-store.ts";
import type { Place } from "./rds-store.ts";
import type { InstanceRecord, SnapshotRecord, Tags } from "./records.ts";
import { subnetGroupOf } from "./subnet-groups.ts";

const MOST_SNAPSHOTS = 100;

/** A name that a new snapshot can have, in lower case. */
export function checkSnapshotName({ store }: Ground, place: Place, name: string): string {
  const id = identifierOf(name, "DBSnapshotIdentifier", 255);
  if (store.snapshots.get(`${placeKey(place)}/${id}`) !== undefined) {
    throw new AwsError(
      "DBSnapshotAlreadyExists",
      `Cannot create the snapshot because a snapshot with the identifier ${id} already exists.`,
    );
  }
  if (store.snapshots.list(`${placeKey(place)}/`).length >= MOST_SNAPSHOTS) {
    throw new AwsError("SnapshotQuotaExceeded", "Cannot create more than 100 manual snapshots");
  }
  return id;
}

/** A snapshot of an instance as it is now. */
export function snapshotOf(ground: Ground, record: InstanceRecord, id: string, tags: Tags = []): SnapshotRecord {
  const { world } = ground;
  const { facts, port, subnetGroup, parameterGroup } = record;
  const now = world.clock.now();
  return {
    account: record.account,
    region: record.region,
    source: { facts, port, subnetGroup, parameterGroup },
    availableAt: now + DURATIONS.snapshot * world.pace.durations,
    tags: facts.CopyTagsToSnapshot === true ? [...new Map([...record.tags, ...tags])] : tags,
    facts: {
      DBSnapshotIdentifier: id,
      DBInstanceIdentifier: facts.DBInstanceIdentifier,
      SnapshotCreateTime: now,
      OriginalSnapshotCreateTime: now,
      Engine: facts.Engine,
      EngineVersion: facts.EngineVersion,
      AllocatedStorage: facts.AllocatedStorage,
      StorageType: facts.StorageType,
      Iops: facts.Iops,
      StorageThroughput: facts.StorageThroughput,
      Port: port,
      AvailabilityZone: facts.AvailabilityZone,
      VpcId: subnetGroupOf(ground, record, subnetGroup).vpcId,
      InstanceCreateTime: facts.InstanceCreateTime,
      MasterUsername: facts.MasterUsername,
      LicenseModel: facts.LicenseModel,
      SnapshotType: "manual",
      OptionGroupName: facts.OptionGroupMemberships?.[0]?.OptionGroupName,
      Encrypted: facts.StorageEncrypted,
      KmsKeyId: facts.KmsKeyId,
      IAMDatabaseAuthenticationEnabled: facts.IAMDatabaseAuthenticationEnabled,
      DbiResourceId: facts.DbiResourceId,
      SnapshotTarget: "region",
      ProcessorFeatures: [],
    },
  };
}
