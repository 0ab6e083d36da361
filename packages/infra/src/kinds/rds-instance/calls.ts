import { AwsCallError, byMarker, everyPage } from "@gatewright/aws";
import type { rds } from "@gatewright/aws";
import type { Immutable, Json } from "@gatewright/kube";
import type { RDSInstance } from "@gatewright/resources";
import type { Change, Creation, Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { databaseOf, PASSWORD_DUE } from "./database.ts";
import type { Database } from "./database.ts";
import { AT_ONCE, passwordOf } from "./fields.ts";
import { isMajorUpgrade, SETTINGS, STORAGE, storageSaidWith, TOGETHER } from "./settings.ts";
import type { Setting, SettingRow } from "./settings.ts";

const PAGE = 100;

/** Reads one. */
export async function readDatabase({ aws, signal }: Ground, id: string): Promise<Database | "absent"> {
  try {
    const { DBInstances: [told] = [] } = await aws.rds.describeDBInstances({ DBInstanceIdentifier: id }, { signal });
    // An answer without an instance is no answer of AWS's; it is not taken for absence.
    if (told === undefined) throw new Error(`RDS told nothing of ${id}`);
    return databaseOf(told);
  } catch (error) {
    if (isCode(error, "DBInstanceNotFound")) return "absent";
    throw error;
  }
}

/** Reads all of the account and region, which costs a call for every hundred. */
export async function readDatabases(
  { aws, signal }: Ground,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Database>> {
  const wanted = new Set(ids);
  const found = new Map<string, Database>();
  for await (const page of everyPage(byMarker(aws.rds.describeDBInstances), { MaxRecords: PAGE }, { signal })) {
    for (const told of page.DBInstances ?? []) {
      const id = told.DBInstanceIdentifier ?? "";
      if (wanted.has(id)) found.set(id, databaseOf(told));
    }
  }
  return found;
}

/** Makes it, from nothing or from a snapshot. One of this name that is there already is whoever's it is: its tags say so. */
export async function createDatabase(ground: Ground, creation: Creation<RDSInstance>): Promise<string> {
  const { aws, signal } = ground;
  const { object, given, wanted, tags } = creation;
  const { spec } = object;
  const id = spec.dbInstanceIdentifier.toLowerCase();
  const password = passwordOf(spec, given);
  try {
    if (spec.dbSnapshotIdentifier === undefined) {
      const input = {
        ...said(wanted, "create"),
        DBInstanceIdentifier: id,
        ...(password !== undefined && { MasterUserPassword: password }),
        ...secretKey(spec),
        ...insightsKey(spec),
        Tags: tagList(tags),
      };
      // Admission sees to it that engine and class are there.
      await aws.rds.createDBInstance(input as rds.CreateDBInstanceMessage, { signal });
    } else {
      const settings = Object.entries(said(wanted, "create")).filter(([name]) => RESTORABLE.has(name));
      await aws.rds.restoreDBInstanceFromDBSnapshot(
        {
          ...Object.fromEntries(settings),
          DBInstanceIdentifier: id,
          DBSnapshotIdentifier: spec.dbSnapshotIdentifier,
          ...secretKey(spec),
          Tags: tagList(password === undefined ? tags : { ...tags, [PASSWORD_DUE]: "true" }),
        },
        { signal },
      );
    }
  } catch (error) {
    if (!isCode(error, "DBInstanceAlreadyExists")) throw error;
  }
  return id;
}

/** Writes what differs, and what AWS wants to be said with it. */
export async function changeDatabase(
  ground: Ground,
  seen: Database,
  { object, given, fields, wanted }: Change<RDSInstance>,
): Promise<Obstacle | void> {
  const { aws, signal } = ground;
  const { spec } = object;
  const optimizing = seen.status === "storage-optimization" && STORAGE.some((path) => fields.has(path));
  const kept: ReadonlySet<string> = new Set(optimizing ? STORAGE : []);
  // What waits is said again, where the spec does not want something else by now.
  const released = fields.has(AT_ONCE) ? Object.entries(seen.waiting) : [];
  const values = new Map<string, Json | undefined>([...released, ...fields].filter(([path]) => !kept.has(path)));
  for (const group of TOGETHER) {
    if (!group.some((path) => values.has(path))) continue;
    for (const path of group) {
      if (values.has(path) || !wanted.has(path)) continue;
      // As AWS has it: where that is not what the spec says, the difference is ignored or only reported.
      values.set(path, seen.has[path] ?? wanted.get(path));
    }
  }
  for (const path of storageSaidWith(seen, values)) {
    const has = seen.has[path];
    if (!values.has(path) && has !== undefined) values.set(path, has);
  }
  // Parameters are of a major version: said again with it, they are not forgotten when a version that waits is said anew.
  const group = wanted.get("dbParameterGroupName");
  if (group !== undefined && isMajorUpgrade(seen, values.get("engineVersion")))
    values.set("dbParameterGroupName", group);
  if (values.has("allocatedStorage")) values.set("allocatedStorage", sizeOf(values.get("allocatedStorage"), seen));
  // The bound that means none is the size, which is the new one where the same call writes one.
  if (values.get("maxAllocatedStorage") === 0) {
    values.set("maxAllocatedStorage", sizeOf(values.get("allocatedStorage") ?? 0, seen));
  }
  if (values.get("monitoringInterval") === 0) values.delete("monitoringRoleARN");
  if ((values.get("enablePerformanceInsights") ?? seen.has.enablePerformanceInsights) !== true) {
    values.delete("performanceInsightsRetentionPeriod");
  }
  const writesPassword =
    fields.has("masterUserPassword") ||
    fields.has("masterUserPassword.afterRestore") ||
    values.get("manageMasterUserPassword") === false;
  const password = writesPassword ? passwordOf(spec, given) : undefined;
  const input: Omit<rds.ModifyDBInstanceMessage, "DBInstanceIdentifier"> = {
    ...said(values, "modify"),
    ...(values.has("cloudwatchLogsExports") && {
      CloudwatchLogsExportConfiguration: logsOf(seen, values.get("cloudwatchLogsExports")),
    }),
    ...(values.has("engineVersion") && spec.allowMajorVersionUpgrade === true && { AllowMajorVersionUpgrade: true }),
    ...(values.get("manageMasterUserPassword") === true && secretKey(spec)),
    ...(values.get("enablePerformanceInsights") === true &&
      seen.has.enablePerformanceInsights !== true &&
      insightsKey(spec)),
    ...(password !== undefined && { MasterUserPassword: password }),
    ...(password !== undefined && seen.secretArn !== undefined && { ManageMasterUserPassword: false }),
  };
  if (Object.keys(input).length > 0) {
    await aws.rds.modifyDBInstance(
      { ...input, DBInstanceIdentifier: seen.id, ApplyImmediately: spec.applyImmediately === true },
      { signal },
    );
  }
  if (password !== undefined && seen.passwordDue) {
    await aws.rds.removeTagsFromResource({ ResourceName: seen.arn, TagKeys: [PASSWORD_DUE] }, { signal });
  }
  if (!optimizing) return undefined;
  return {
    reason: "NotNow",
    message: `${seen.id} is optimizing its storage after an earlier change, for hours as a rule: until then its storage cannot be changed again`,
  };
}

export async function tagDatabase(
  { aws, signal }: Ground,
  { arn }: Database,
  { set, remove }: { readonly set: Readonly<Record<string, string>>; readonly remove: readonly string[] },
): Promise<void> {
  // First: both together may be more than there is room for.
  if (remove.length > 0) await aws.rds.removeTagsFromResource({ ResourceName: arn, TagKeys: [...remove] }, { signal });
  if (Object.keys(set).length > 0) {
    await aws.rds.addTagsToResource({ ResourceName: arn, Tags: tagList(set) }, { signal });
  }
}

/** Whether AWS answered with this code, which SDKs and emulators spell with and without `Fault`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof AwsCallError && (error.code === code || error.code === `${code}Fault`);
}

/** What a restore takes; the rest is changed once the instance is there. */
const RESTORABLE: ReadonlySet<string> = new Set<keyof rds.RestoreDBInstanceFromDBSnapshotMessage>([
  "DBInstanceClass",
  "Port",
  "AvailabilityZone",
  "DBSubnetGroupName",
  "MultiAZ",
  "PubliclyAccessible",
  "AutoMinorVersionUpgrade",
  "LicenseModel",
  "Engine",
  "Iops",
  "StorageThroughput",
  "OptionGroupName",
  "StorageType",
  "VpcSecurityGroupIds",
  "CopyTagsToSnapshot",
  "EnableIAMDatabaseAuthentication",
  "EnableCloudwatchLogsExports",
  "DBParameterGroupName",
  "DeletionProtection",
  "NetworkType",
  "AllocatedStorage",
  "BackupRetentionPeriod",
  "PreferredBackupWindow",
  "CACertificateIdentifier",
  "ManageMasterUserPassword",
]);

/** The values under the names that a call has for them. The table names members of the requests, and nothing else. */
function said(
  values: ReadonlyMap<string, Json | undefined>,
  call: "create" | "modify",
): Partial<rds.CreateDBInstanceMessage> & Partial<rds.ModifyDBInstanceMessage> {
  return Object.fromEntries(
    (Object.entries(SETTINGS) as [Setting, SettingRow][]).flatMap(([path, setting]) => {
      const [name, value] = [setting[call], values.get(path)];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function sizeOf(want: Json | undefined, { has }: Database): number {
  return Math.max(Number(want), Number(has.allocatedStorage ?? 0));
}

function logsOf({ has }: Database, want: Json | undefined): rds.CloudwatchLogsExportConfiguration {
  const [before, after] = [has.cloudwatchLogsExports, want].map((list) =>
    Array.isArray(list) ? list.map(String) : [],
  );
  return {
    EnableLogTypes: (after ?? []).filter((log) => before?.includes(log) !== true),
    DisableLogTypes: (before ?? []).filter((log) => after?.includes(log) !== true),
  };
}

function secretKey({ manageMasterUserPassword: managed, masterUserSecretKmsKeyID: key }: Spec) {
  return managed === true && key !== undefined ? { MasterUserSecretKmsKeyId: key } : {};
}

function insightsKey({ performanceInsightsKMSKeyID: key }: Spec) {
  return key === undefined ? {} : { PerformanceInsightsKMSKeyId: key };
}

type Spec = Immutable<RDSInstance["spec"]>;

function tagList(tags: Readonly<Record<string, string>>): rds.Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}
