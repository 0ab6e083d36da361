import type { rds } from "@gatewright/aws";
import type { Immutable, Json } from "@gatewright/kube";
import type { RDSInstance } from "@gatewright/resources";
import type { FieldChange } from "../../engine/field.ts";
import { sameKeyOrAlias } from "../same-key.ts";
import type { Database } from "./database.ts";
import { compareVersions, majorOf } from "./engine-version.ts";

export type DatabaseSpec = Immutable<RDSInstance["spec"]>;

/** One row of the table: a field of the spec and what the calls name it. */
export interface SettingRow {
  /** Default: in place. */
  readonly change?: FieldChange;
  readonly create?: keyof rds.CreateDBInstanceMessage;
  /** Default: as in the creation, where it can be changed. */
  readonly modify?: keyof rds.ModifyDBInstanceMessage;
  readonly want?: (spec: DatabaseSpec) => Json | undefined;
  readonly same?: (want: Json, have: Json | undefined, seen: Database) => boolean;
  readonly unset?: Json;
}

const row = <const R extends SettingRow>(settings: R): R => settings;
const both = (
  name: keyof rds.CreateDBInstanceMessage & keyof rds.ModifyDBInstanceMessage,
  more: Omit<SettingRow, "create" | "modify"> = {},
): SettingRow => ({ create: name, modify: name, ...more });

const lower = (value: Json | undefined): Json | undefined => (typeof value === "string" ? value.toLowerCase() : value);
const ignoringCase = (want: Json, have: Json | undefined): boolean => lower(want) === lower(have);
const sorted = (list: readonly string[] | undefined): Json | undefined => list && [...list].toSorted();

/**
 * Every field of the spec that AWS tells. Those without `unset` stay as they are when they leave the spec: AWS has no value that means
 * "as by default", or, as with backups, data would go.
 */
export const SETTINGS = {
  engine: row({ create: "Engine", change: "replace", same: ignoringCase }),
  engineVersion: both("EngineVersion", { same: isVersion }),
  dbInstanceClass: both("DBInstanceClass"),
  allocatedStorage: both("AllocatedStorage", { same: isLargeEnough }),
  maxAllocatedStorage: both("MaxAllocatedStorage", { unset: 0 }),
  storageType: both("StorageType"),
  iops: both("Iops"),
  storageThroughput: both("StorageThroughput"),
  storageEncrypted: row({ create: "StorageEncrypted", change: "replace" }),
  kmsKeyID: row({ create: "KmsKeyId", change: "replace", same: sameKeyOrAlias }),
  masterUsername: row({ create: "MasterUsername", change: "replace", same: ignoringCase }),
  manageMasterUserPassword: both("ManageMasterUserPassword", { unset: false }),
  dbName: row({ create: "DBName", change: "replace", same: ignoringCase }),
  port: row({ create: "Port", modify: "DBPortNumber" }),
  multiAZ: both("MultiAZ", { unset: false }),
  availabilityZone: row({ create: "AvailabilityZone", change: "replace" }),
  publiclyAccessible: both("PubliclyAccessible"),
  dbSubnetGroupName: both("DBSubnetGroupName", { same: ignoringCase }),
  vpcSecurityGroupIDs: both("VpcSecurityGroupIds", { want: (spec) => sorted(spec.vpcSecurityGroupIDs) }),
  networkType: both("NetworkType", { unset: "IPV4" }),
  caCertificateIdentifier: both("CACertificateIdentifier"),
  enableIAMDatabaseAuthentication: both("EnableIAMDatabaseAuthentication", { unset: false }),
  dbParameterGroupName: both("DBParameterGroupName", { same: isParameterGroup }),
  optionGroupName: both("OptionGroupName", { same: ignoringCase }),
  licenseModel: both("LicenseModel"),
  backupRetentionPeriod: both("BackupRetentionPeriod"),
  preferredBackupWindow: both("PreferredBackupWindow"),
  copyTagsToSnapshot: both("CopyTagsToSnapshot", { unset: false }),
  preferredMaintenanceWindow: both("PreferredMaintenanceWindow", { same: ignoringCase }),
  autoMinorVersionUpgrade: both("AutoMinorVersionUpgrade", { unset: true }),
  monitoringInterval: both("MonitoringInterval", { unset: 0 }),
  // AWS forgets the role when monitoring is off.
  monitoringRoleARN: both("MonitoringRoleArn", {
    want: ({ monitoringInterval = 0, monitoringRoleARN }) => (monitoringInterval > 0 ? monitoringRoleARN : undefined),
  }),
  enablePerformanceInsights: both("EnablePerformanceInsights", { unset: false }),
  performanceInsightsRetentionPeriod: both("PerformanceInsightsRetentionPeriod", { unset: 7, same: isRetention }),
  databaseInsightsMode: both("DatabaseInsightsMode", { unset: "standard" }),
  cloudwatchLogsExports: row({
    create: "EnableCloudwatchLogsExports",
    modify: "CloudwatchLogsExportConfiguration",
    want: (spec) => sorted(spec.cloudwatchLogsExports),
    unset: [],
  }),
  deletionProtection: both("DeletionProtection", { unset: false }),
} as const satisfies Partial<Record<keyof DatabaseSpec, SettingRow>>;

export type Setting = keyof typeof SETTINGS;

/** What is said of storage, and not while AWS optimizes it. */
export const STORAGE: readonly Setting[] = ["allocatedStorage", "storageType", "iops", "storageThroughput"];

/** What AWS wants to be said together: with one that is written go the others that the spec has, as they are. */
export const TOGETHER: readonly (readonly Setting[])[] = [
  STORAGE,
  ["monitoringInterval", "monitoringRoleARN"],
  ["enablePerformanceInsights", "performanceInsightsRetentionPeriod", "databaseInsightsMode"],
];

/**
 * What else AWS wants to hear of storage that has provisioned operations, whether or not the spec has it: the size and the operations,
 * with any change that keeps the type. gp3 takes operations from the size on from which AWS stripes it, and refuses them below.
 */
export function storageSaidWith(
  { has, size = 0 }: Database,
  values: ReadonlyMap<string, Json | undefined>,
): readonly Setting[] {
  const { storageType: type } = has;
  if (!STORAGE.some((path) => values.has(path)) || (values.get("storageType") ?? type) !== type) return [];
  const provisioned = type === "io1" || type === "io2" || (type === "gp3" && size >= stripedFrom(has.engine));
  return provisioned ? ["allocatedStorage", "iops"] : [];
}

/** From which size on gp3 is striped, in GiB. */
function stripedFrom(engine: Json | undefined): number {
  const name = String(engine);
  if (name.startsWith("sqlserver")) return 0;
  return name.startsWith("oracle") ? 200 : 400;
}

/**
 * Whether the version is one that is wanted: `16` is every 16.x. AWS may be ahead of the spec, by minor upgrades that it makes by itself
 * or has to make, and there is no way back.
 */
function isVersion(want: Json, have: Json | undefined, seen: Database): boolean {
  if (typeof want !== "string" || typeof have !== "string") return false;
  if (have === want || have.startsWith(`${want}.`)) return true;
  const engine = String(seen.has.engine ?? "");
  return majorOf(engine, want) === majorOf(engine, have) && compareVersions(have, want) > 0;
}

/** The group of the next major version comes with it: while that waits AWS tells the old one, and takes no other. */
function isParameterGroup(want: Json, have: Json | undefined, seen: Database): boolean {
  return ignoringCase(want, have) || isMajorUpgrade(seen, seen.has.engineVersion);
}

/** Whether this version is of another major one than the one that runs. */
export function isMajorUpgrade({ has, version }: Database, next: Json | undefined): boolean {
  const engine = String(has.engine ?? "");
  return typeof next === "string" && version !== undefined && majorOf(engine, next) !== majorOf(engine, version);
}

/** Storage never shrinks, and may grow by itself. */
function isLargeEnough(want: Json, have: Json | undefined): boolean {
  return typeof have === "number" && have >= Number(want);
}

/** Without Performance Insights nothing is kept, which is as good as the least. */
function isRetention(want: Json, have: Json | undefined, seen: Database): boolean {
  return have === want || (want === 7 && seen.has.enablePerformanceInsights !== true);
}
