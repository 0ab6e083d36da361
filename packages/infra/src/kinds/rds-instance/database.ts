import type { rds } from "@gatewright/aws";
import type { Json } from "@gatewright/kube";
import { STORAGE } from "./settings.ts";
import type { Setting } from "./settings.ts";

/** A tag that says that the password of a restored instance is still that of its snapshot. Never shown as a tag. */
export const PASSWORD_DUE = "gatewright.dev/password-due";

/** An instance as it was read. */
export interface Database {
  readonly id: string;
  readonly arn: string;
  /** What AWS knows this very instance by, whatever it is called. */
  readonly resourceId: string;
  readonly status: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly version: string | undefined;
  readonly size: number | undefined;
  readonly zone: string | undefined;
  readonly secretArn: string | undefined;
  /** By field, as the spec has it. What AWS is about to change counts as changed. */
  readonly has: Readonly<Partial<Record<Setting, Json>>>;
  /** What AWS is about to change, by field. */
  readonly pending: Readonly<Record<string, string>>;
  /** What of it may wait for the window and can be said again, to be done at once. */
  readonly waiting: Readonly<Partial<Record<Setting, Json>>>;
  readonly passwordDue: boolean;
  readonly rebootNeeded: boolean;
  /** Whether it ever came up: one that did not has no data. */
  readonly came: boolean;
  /** Whether its data is another's: of the instance that it is a replica of, or of its cluster. */
  readonly copies: boolean;
}

/** What is kept of AWS's answer. */
export function databaseOf(told: rds.DBInstance): Database {
  const tags = new Map((told.TagList ?? []).map(({ Key: key = "", Value: value = "" }) => [key, value]));
  const passwordDue = tags.delete(PASSWORD_DUE);
  return {
    id: told.DBInstanceIdentifier ?? "",
    arn: told.DBInstanceArn ?? "",
    resourceId: told.DbiResourceId ?? "",
    status: told.DBInstanceStatus ?? "",
    tags: Object.fromEntries(tags),
    host: told.Endpoint?.Address,
    port: told.Endpoint?.Port,
    version: told.EngineVersion,
    size: told.AllocatedStorage,
    zone: told.AvailabilityZone,
    secretArn: told.MasterUserSecret?.SecretArn,
    has: settingsOf(told),
    pending: pendingOf(told.PendingModifiedValues ?? {}),
    waiting: waitingOf(told),
    passwordDue,
    rebootNeeded: (told.DBParameterGroups ?? []).some(
      ({ ParameterApplyStatus: status }) => status === "pending-reboot",
    ),
    came: told.InstanceCreateTime !== undefined,
    copies: told.ReadReplicaSourceDBInstanceIdentifier !== undefined || told.DBClusterIdentifier !== undefined,
  };
}

function settingsOf(told: rds.DBInstance): Database["has"] {
  const next = told.PendingModifiedValues ?? {};
  const has: { readonly [Name in Setting]: Json | undefined } = {
    engine: told.Engine,
    engineVersion: next.EngineVersion ?? told.EngineVersion,
    dbInstanceClass: next.DBInstanceClass ?? told.DBInstanceClass,
    allocatedStorage: next.AllocatedStorage ?? told.AllocatedStorage,
    maxAllocatedStorage: told.MaxAllocatedStorage ?? 0,
    storageType: next.StorageType ?? told.StorageType,
    iops: next.Iops ?? told.Iops,
    storageThroughput: next.StorageThroughput ?? told.StorageThroughput,
    storageEncrypted: told.StorageEncrypted,
    kmsKeyID: told.KmsKeyId,
    masterUsername: told.MasterUsername,
    manageMasterUserPassword: told.MasterUserSecret?.SecretArn !== undefined,
    dbName: told.DBName,
    port: next.Port ?? told.Endpoint?.Port ?? (told.DbInstancePort || undefined),
    multiAZ: next.MultiAZ ?? told.MultiAZ,
    availabilityZone: told.AvailabilityZone,
    publiclyAccessible: told.PubliclyAccessible,
    dbSubnetGroupName: next.DBSubnetGroupName ?? told.DBSubnetGroup?.DBSubnetGroupName,
    vpcSecurityGroupIDs: (told.VpcSecurityGroups ?? [])
      .filter(({ Status: status }) => status !== "removing")
      .map(({ VpcSecurityGroupId: id = "" }) => id)
      .toSorted(),
    networkType: told.NetworkType,
    caCertificateIdentifier: next.CACertificateIdentifier ?? told.CACertificateIdentifier,
    enableIAMDatabaseAuthentication: next.IAMDatabaseAuthenticationEnabled ?? told.IAMDatabaseAuthenticationEnabled,
    dbParameterGroupName: told.DBParameterGroups?.[0]?.DBParameterGroupName,
    optionGroupName: (told.OptionGroupMemberships ?? []).findLast(
      ({ Status: status = "" }) => !status.includes("remov"),
    )?.OptionGroupName,
    licenseModel: next.LicenseModel ?? told.LicenseModel,
    backupRetentionPeriod: next.BackupRetentionPeriod ?? told.BackupRetentionPeriod,
    preferredBackupWindow: told.PreferredBackupWindow,
    copyTagsToSnapshot: told.CopyTagsToSnapshot,
    preferredMaintenanceWindow: told.PreferredMaintenanceWindow,
    autoMinorVersionUpgrade: told.AutoMinorVersionUpgrade,
    monitoringInterval: told.MonitoringInterval ?? 0,
    monitoringRoleARN: told.MonitoringRoleArn,
    enablePerformanceInsights: told.PerformanceInsightsEnabled ?? false,
    performanceInsightsRetentionPeriod: told.PerformanceInsightsRetentionPeriod,
    databaseInsightsMode: told.DatabaseInsightsMode ?? "standard",
    cloudwatchLogsExports: (told.EnabledCloudwatchLogsExports ?? []).toSorted(),
    deletionProtection: told.DeletionProtection,
  };
  return Object.fromEntries(Object.entries(has).filter(([, value]) => value !== undefined));
}

/** As the status shows it. A password that is being changed is masked by AWS, and not shown even so. */
function pendingOf(next: rds.PendingModifiedValues): Readonly<Record<string, string>> {
  const { MasterUserPassword: _, ...shown } = next;
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([, value]) => typeof value !== "object" && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** What waits for a window, by field. The rest that AWS tells as pending is at work already: passwords, logs, processors. */
const WAITING = {
  engineVersion: "EngineVersion",
  dbInstanceClass: "DBInstanceClass",
  allocatedStorage: "AllocatedStorage",
  storageType: "StorageType",
  iops: "Iops",
  storageThroughput: "StorageThroughput",
  port: "Port",
  multiAZ: "MultiAZ",
  dbSubnetGroupName: "DBSubnetGroupName",
  caCertificateIdentifier: "CACertificateIdentifier",
  enableIAMDatabaseAuthentication: "IAMDatabaseAuthenticationEnabled",
  licenseModel: "LicenseModel",
  backupRetentionPeriod: "BackupRetentionPeriod",
} as const satisfies Partial<Record<Setting, keyof rds.PendingModifiedValues>>;

/** Storage that is being optimized cannot be changed again until that is done. */
function waitingOf({
  PendingModifiedValues: next = {},
  DBInstanceStatus: status,
}: rds.DBInstance): Database["waiting"] {
  const kept: ReadonlySet<string> = new Set(status === "storage-optimization" ? STORAGE : []);
  return Object.fromEntries(
    Object.entries(WAITING).flatMap(([path, name]) => {
      const value = next[name];
      return value === undefined || kept.has(path) ? [] : [[path, value]];
    }),
  );
}
