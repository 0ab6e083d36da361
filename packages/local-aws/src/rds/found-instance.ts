import { randomString } from "@gatewright/ports";
import type { CreateDBInstanceMessage } from "@gatewright/aws-wire/types/rds";
import { partitionOf } from "../partition.ts";
import { DURATIONS } from "./durations.ts";
import { engineOf, familyOf, versionOf } from "./engines.ts";
import type { Ground } from "./ground.ts";
import {
  blank,
  checkClass,
  checkCredentials,
  checkPort,
  checkRetention,
  checkUser,
  identifierOf,
} from "./instance-rules.ts";
import { kmsKeyArn } from "../kms-key.ts";
import { lifeFrom } from "./life.ts";
import { parameterGroupOf } from "./parameter-groups.ts";
import type { Place } from "./rds-store.ts";
import type { InstanceFacts, InstanceRecord } from "./records.ts";
import { invalidCombination, invalidValue } from "./refusals.ts";
import { securityGroupsOf } from "./security-groups.ts";
import { checkStorage } from "./storage-rules.ts";
import { subnetGroupOf } from "./subnet-groups.ts";
import { withTags } from "./tags.ts";
import { watchingOf } from "./watching.ts";
import { checkWindows, usualWindows } from "./windows.ts";

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new instance as a request wants it, or a refusal. */
export function foundInstance(ground: Ground, input: CreateDBInstanceMessage, place: Place): InstanceRecord {
  const { world } = ground;
  const identifier = identifierOf(input.DBInstanceIdentifier, "DBInstanceIdentifier");
  const engine = engineOf(input.Engine);
  const version = versionOf(engine, input.EngineVersion);
  checkClass(input.DBInstanceClass);
  const user = checkUser(engine, input.MasterUsername);
  checkCredentials(engine, input);
  if (input.AllocatedStorage === undefined) throw blank("AllocatedStorage");
  const storage = {
    Engine: engine.name,
    StorageType: input.StorageType ?? (input.Iops === undefined ? "gp2" : "io1"),
    AllocatedStorage: input.AllocatedStorage,
    Iops: input.Iops,
    StorageThroughput: input.StorageThroughput,
    MaxAllocatedStorage: input.MaxAllocatedStorage,
  };
  checkStorage(storage);
  const retention = input.BackupRetentionPeriod ?? 1;
  checkRetention(retention);
  const port = input.Port ?? engine.port;
  checkPort(port);
  if (input.DBName !== undefined && !/^[a-z_][a-z0-9_]{0,62}$/i.test(input.DBName)) {
    throw invalidValue(`DBName must begin with a letter and contain only alphanumeric characters.`);
  }
  const usual = usualWindows(world.random);
  const maintenance = (input.PreferredMaintenanceWindow ?? usual.maintenance).toLowerCase();
  const backup = input.PreferredBackupWindow ?? usual.backup;
  if (input.PreferredMaintenanceWindow !== undefined || input.PreferredBackupWindow !== undefined) {
    checkWindows(maintenance, backup);
  }
  const group = subnetGroupOf(ground, place, input.DBSubnetGroupName ?? "default");
  const parameters = parameterGroupOf(
    ground,
    place,
    input.DBParameterGroupName ?? `default.${familyOf(engine, version)}`,
  );
  checkFamily(parameters.family, familyOf(engine, version), parameters.name);
  const zones = group.subnets.map(({ zone }) => zone);
  const multiAz = input.MultiAZ ?? false;
  if (multiAz && input.AvailabilityZone !== undefined) {
    throw invalidCombination("Requesting a specific availability zone is not valid for Multi-AZ instances.");
  }
  if (input.AvailabilityZone !== undefined && !zones.includes(input.AvailabilityZone)) {
    throw invalidValue(
      `The requested Availability Zone ${input.AvailabilityZone} is not valid for the DB subnet group ${group.name}.`,
    );
  }
  const now = world.clock.now();
  const facts: InstanceFacts = {
    ...storage,
    DBInstanceIdentifier: identifier,
    DBInstanceClass: input.DBInstanceClass,
    EngineVersion: version,
    MasterUsername: user,
    ...(input.DBName !== undefined && { DBName: input.DBName }),
    InstanceCreateTime: now + DURATIONS.creating * world.pace.durations,
    PreferredBackupWindow: backup,
    PreferredMaintenanceWindow: maintenance,
    BackupRetentionPeriod: retention,
    VpcSecurityGroups: securityGroupsOf(ground, place, input.VpcSecurityGroupIds, group.vpcId),
    AvailabilityZone: input.AvailabilityZone ?? zones[0],
    ...(multiAz && { SecondaryAvailabilityZone: zones[1] ?? zones[0] }),
    MultiAZ: multiAz,
    AutoMinorVersionUpgrade: input.AutoMinorVersionUpgrade ?? true,
    LicenseModel: input.LicenseModel ?? engine.license,
    OptionGroupMemberships: [
      {
        OptionGroupName: input.OptionGroupName ?? `default:${familyOf(engine, version).replaceAll(".", "-")}`,
        Status: "in-sync",
      },
    ],
    PubliclyAccessible: input.PubliclyAccessible ?? group.name === "default",
    StorageEncrypted: input.StorageEncrypted ?? false,
    ...(input.StorageEncrypted === true && { KmsKeyId: kmsKeyArn(place, input.KmsKeyId ?? "aws-rds") }),
    DbiResourceId: `db-${randomString(world.random, UPPER, 26)}`,
    CACertificateIdentifier: input.CACertificateIdentifier ?? "rds-ca-rsa2048-g1",
    CopyTagsToSnapshot: input.CopyTagsToSnapshot ?? false,
    ...watchingOf(input, place),
    IAMDatabaseAuthenticationEnabled: input.EnableIAMDatabaseAuthentication ?? false,
    ...(input.EnableCloudwatchLogsExports && { EnabledCloudwatchLogsExports: input.EnableCloudwatchLogsExports }),
    DeletionProtection: input.DeletionProtection ?? false,
    NetworkType: input.NetworkType ?? "IPV4",
    BackupTarget: "region",
    CustomerOwnedIpEnabled: false,
    DedicatedLogVolume: input.DedicatedLogVolume ?? false,
    EngineLifecycleSupport: input.EngineLifecycleSupport ?? "open-source-rds-extended-support",
    ...(input.ManageMasterUserPassword === true && {
      MasterUserSecret: newSecret(ground, place, input.MasterUserSecretKmsKeyId),
    }),
  };
  return {
    account: place.account,
    region: place.region,
    facts,
    port,
    subnetGroup: group.name,
    parameterGroup: parameters.name,
    rebootNeeded: false,
    life: creation(ground, retention),
    tags: withTags([], input.Tags ?? []),
  };
}

/** How an instance comes to be: it is made, and then backed up where backups are kept. */
export function creation({ world }: Ground, retention: number): InstanceRecord["life"] {
  const { durations } = world.pace;
  const steps = [
    ["creating", DURATIONS.creating * durations],
    ["backing-up", retention > 0 ? DURATIONS.backingUp * durations : 0],
  ] as const;
  return lifeFrom(world.clock.now(), steps, "available");
}

/** The secret that RDS keeps a password in. */
export function newSecret(
  { world }: Ground,
  place: Place,
  kmsKey: string | undefined,
): NonNullable<InstanceFacts["MasterUserSecret"]> {
  const id = Buffer.from(world.random.bytes(16)).toString("hex");
  const name = `rds!db-${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
  const suffix = randomString(world.random, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 6);
  return {
    SecretArn: `arn:${partitionOf(place.region)}:secretsmanager:${place.region}:${place.account}:secret:${name}-${suffix}`,
    SecretStatus: "active",
    KmsKeyId: kmsKeyArn(place, kmsKey ?? "aws-secretsmanager"),
  };
}

export function checkFamily(family: string, wanted: string, name: string): void {
  if (family !== wanted) {
    throw invalidCombination(
      `The Parameter Group ${name} with DBParameterGroupFamily ${family} cannot be used for this instance. Please use a Parameter Group with DBParameterGroupFamily ${wanted}`,
    );
  }
}
