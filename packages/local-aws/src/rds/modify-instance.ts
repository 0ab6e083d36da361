import type { ModifyDBInstanceMessage, Operations, PendingModifiedValues } from "@gatewright/aws-wire/types/rds";
import type { Handlers } from "../service.ts";
import { AwsError } from "../aws-error.ts";
import { DURATIONS } from "./durations.ts";
import { engineOf, familyOf, isNewer, majorOf, versionOf } from "./engines.ts";
import { checkFamily, newSecret } from "./found-instance.ts";
import type { Ground } from "./ground.ts";
import { instanceFor } from "./instance-operations.ts";
import { checkClass, checkPassword, checkPort, checkRetention, identifierOf } from "./instance-rules.ts";
import { instanceTold } from "./instance-shape.ts";
import { lifeFrom, statusAt } from "./life.ts";
import { parameterGroupOf } from "./parameter-groups.ts";
import type { InstanceFacts, InstanceRecord, PendingChange, PendingValues } from "./records.ts";
import { invalidCombination, invalidState } from "./refusals.ts";
import { securityGroupsOf } from "./security-groups.ts";
import { checkGrowth, checkSaidTogether, checkStorage } from "./storage-rules.ts";
import { subnetGroupOf } from "./subnet-groups.ts";
import { watchingOf } from "./watching.ts";
import { checkWindows, nextMaintenance } from "./windows.ts";

const MODIFIABLE = ["available", "storage-optimization", "storage-full", "incompatible-parameters"];

/** Instances are changed: some of it at once, the rest in the maintenance window unless it is wanted now. */
export function modifyInstance(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async ModifyDBInstance(input, context) {
      const now = world.clock.now();
      const record = instanceFor(ground, context, input.DBInstanceIdentifier);
      const status = statusAt(record, now);
      if (!MODIFIABLE.includes(status)) {
        throw invalidState(`Database instance is not in available state.`);
      }
      const changed = atOnce(ground, record, input);
      const wanted = later(ground, record, input);
      if (status === "storage-optimization" && touchesStorage(wanted)) {
        throw invalidCombination(
          "You can't currently modify the storage of this DB instance because the previous storage change is being optimized.",
        );
      }
      const waiting = stillWaiting(record, input);
      const pending = pendingOf(ground, changed, { ...waiting, ...wanted }, input.ApplyImmediately === true);
      const next = { ...changed, pending: pending && { ...pending, parameterGroup: nextParameters(record, input) } };
      await store.commit((commit) => store.putInstance(commit, next, now));
      return { DBInstance: instanceTold(ground, next) };
    },
  };
}

/** What never waits: who may connect, backups, protection, credentials. */
function atOnce(ground: Ground, record: InstanceRecord, input: ModifyDBInstanceMessage): InstanceRecord {
  const { world } = ground;
  const { facts } = record;
  const engine = engineOf(facts.Engine);
  const maintenance = (input.PreferredMaintenanceWindow ?? facts.PreferredMaintenanceWindow).toLowerCase();
  const backup = input.PreferredBackupWindow ?? facts.PreferredBackupWindow;
  if (input.PreferredMaintenanceWindow !== undefined || input.PreferredBackupWindow !== undefined) {
    checkWindows(maintenance, backup);
  }
  if (input.BackupRetentionPeriod !== undefined) checkRetention(input.BackupRetentionPeriod);
  const vpcId = subnetGroupOf(ground, record, record.subnetGroup).vpcId;
  const logs = new Set(facts.EnabledCloudwatchLogsExports);
  for (const type of input.CloudwatchLogsExportConfiguration?.EnableLogTypes ?? []) logs.add(type);
  for (const type of input.CloudwatchLogsExportConfiguration?.DisableLogTypes ?? []) logs.delete(type);
  const credentials = credentialsOf(ground, record, input);
  const parameters =
    input.DBParameterGroupName === undefined ? undefined : parameterGroupOf(ground, record, input.DBParameterGroupName);
  if (parameters) {
    checkFamily(
      parameters.family,
      familyOf(engine, versionOf(engine, input.EngineVersion ?? facts.EngineVersion)),
      parameters.name,
    );
  }
  const next: InstanceFacts = {
    ...facts,
    PreferredMaintenanceWindow: maintenance,
    PreferredBackupWindow: backup,
    BackupRetentionPeriod: input.BackupRetentionPeriod ?? facts.BackupRetentionPeriod,
    DeletionProtection: input.DeletionProtection ?? facts.DeletionProtection,
    CopyTagsToSnapshot: input.CopyTagsToSnapshot ?? facts.CopyTagsToSnapshot,
    AutoMinorVersionUpgrade: input.AutoMinorVersionUpgrade ?? facts.AutoMinorVersionUpgrade,
    PubliclyAccessible: input.PubliclyAccessible ?? facts.PubliclyAccessible,
    ...watchingOf(input, record, facts),
    NetworkType: input.NetworkType ?? facts.NetworkType,
    ...(input.OptionGroupName !== undefined && {
      OptionGroupMemberships: [{ OptionGroupName: input.OptionGroupName, Status: "in-sync" }],
    }),
    MaxAllocatedStorage: maxStorage(input.MaxAllocatedStorage ?? facts.MaxAllocatedStorage, facts),
    IAMDatabaseAuthenticationEnabled: input.EnableIAMDatabaseAuthentication ?? facts.IAMDatabaseAuthenticationEnabled,
    CACertificateIdentifier: input.CACertificateIdentifier ?? facts.CACertificateIdentifier,
    ...(input.CloudwatchLogsExportConfiguration && { EnabledCloudwatchLogsExports: [...logs] }),
    ...(input.VpcSecurityGroupIds && {
      VpcSecurityGroups: securityGroupsOf(ground, record, input.VpcSecurityGroupIds, vpcId),
    }),
    MasterUserSecret: credentials.secret,
  };
  const now = world.clock.now();
  const group = isMajorUpgrade(record, input) ? record.parameterGroup : (parameters?.name ?? record.parameterGroup);
  return {
    ...record,
    facts: next,
    parameterGroup: group,
    rebootNeeded: record.rebootNeeded || group !== record.parameterGroup,
    life: credentials.reset
      ? lifeFrom(now, [["resetting-master-credentials", DURATIONS.credentials * world.pace.durations]], "available")
      : record.life,
  };
}

function credentialsOf(
  ground: Ground,
  record: InstanceRecord,
  input: ModifyDBInstanceMessage,
): { readonly secret: InstanceFacts["MasterUserSecret"]; readonly reset: boolean } {
  const { MasterUserSecret: secret, Engine: engine } = record.facts;
  const password = input.MasterUserPassword;
  if (input.ManageMasterUserPassword === true && password !== undefined) {
    throw invalidCombination("You can't specify MasterUserPassword when ManageMasterUserPassword is enabled.");
  }
  if (input.ManageMasterUserPassword === true && secret === undefined) {
    return { secret: newSecret(ground, record, input.MasterUserSecretKmsKeyId), reset: true };
  }
  if (input.RotateMasterUserPassword === true && secret === undefined) {
    throw invalidCombination("You can't rotate the password of an instance whose password is not managed by RDS.");
  }
  if (password === undefined) return { secret, reset: input.RotateMasterUserPassword === true };
  if (secret !== undefined && input.ManageMasterUserPassword !== false) {
    throw invalidCombination(
      "You can't specify MasterUserPassword for an instance with ManageMasterUserPassword enabled.",
    );
  }
  checkPassword(engineOf(engine), password);
  return { secret: undefined, reset: true };
}

/** What waits for the window unless it is wanted now; only what differs. */
function later(ground: Ground, record: InstanceRecord, input: ModifyDBInstanceMessage): PendingValues {
  const { facts } = record;
  if (input.DBInstanceClass !== undefined) checkClass(input.DBInstanceClass);
  if (input.DBPortNumber !== undefined) checkPort(input.DBPortNumber);
  const size = input.AllocatedStorage ?? facts.AllocatedStorage;
  if (input.MaxAllocatedStorage !== undefined && input.MaxAllocatedStorage < size) {
    throw invalidCombination(
      `Invalid max storage size for engine name ${facts.Engine} and storage type ${facts.StorageType}: ${input.MaxAllocatedStorage}`,
    );
  }
  const wanted: PendingModifiedValues = {
    DBInstanceClass: other(input.DBInstanceClass, facts.DBInstanceClass),
    AllocatedStorage: other(input.AllocatedStorage, facts.AllocatedStorage),
    StorageType: other(input.StorageType, facts.StorageType),
    Iops: other(input.Iops, facts.Iops),
    StorageThroughput: other(input.StorageThroughput, facts.StorageThroughput),
    MultiAZ: other(input.MultiAZ, facts.MultiAZ),
    Port: other(input.DBPortNumber, record.port),
    LicenseModel: other(input.LicenseModel, facts.LicenseModel),
    EngineVersion: other(upgradeOf(facts, input), facts.EngineVersion),
    DBInstanceIdentifier: other(renamed(ground, record, input), facts.DBInstanceIdentifier),
    DBSubnetGroupName: other(
      input.DBSubnetGroupName && subnetGroupOf(ground, record, input.DBSubnetGroupName).name,
      record.subnetGroup,
    ),
  };
  const kept = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  if (touchesStorage(kept)) {
    checkSaidTogether(facts, input);
    checkGrowth(facts.Engine, facts.AllocatedStorage, size);
    checkStorage({
      Engine: facts.Engine,
      StorageType: input.StorageType ?? facts.StorageType,
      AllocatedStorage: size,
      Iops: input.Iops ?? (input.StorageType === undefined ? facts.Iops : undefined),
      StorageThroughput:
        input.StorageThroughput ?? (input.StorageType === undefined ? facts.StorageThroughput : undefined),
      MaxAllocatedStorage: maxStorage(input.MaxAllocatedStorage ?? facts.MaxAllocatedStorage, {
        AllocatedStorage: size,
      }),
    });
  }
  return kept;
}

function upgradeOf(facts: InstanceFacts, input: ModifyDBInstanceMessage): string | undefined {
  if (input.EngineVersion === undefined) return undefined;
  const engine = engineOf(facts.Engine);
  const version = versionOf(engine, input.EngineVersion);
  if (isNewer(facts.EngineVersion, version)) {
    throw invalidCombination(`Cannot upgrade ${engine.name} from ${facts.EngineVersion} to ${version}`);
  }
  if (majorOf(engine, version) !== majorOf(engine, facts.EngineVersion) && input.AllowMajorVersionUpgrade !== true) {
    throw invalidCombination(
      "The AllowMajorVersionUpgrade flag must be present when upgrading to a new major version.",
    );
  }
  return version;
}

function isMajorUpgrade({ facts }: InstanceRecord, { EngineVersion: next }: ModifyDBInstanceMessage): boolean {
  const engine = engineOf(facts.Engine);
  return next !== undefined && majorOf(engine, versionOf(engine, next)) !== majorOf(engine, facts.EngineVersion);
}

/** Parameters come with the major version that they are for. */
function nextParameters(record: InstanceRecord, input: ModifyDBInstanceMessage): string | undefined {
  if (isMajorUpgrade(record, input)) return input.DBParameterGroupName?.toLowerCase();
  return input.EngineVersion === undefined ? record.pending?.parameterGroup : undefined;
}

function renamed({ store, world }: Ground, record: InstanceRecord, input: ModifyDBInstanceMessage): string | undefined {
  if (input.NewDBInstanceIdentifier === undefined) return undefined;
  const id = identifierOf(input.NewDBInstanceIdentifier, "NewDBInstanceIdentifier");
  const taken = store.instance(record, id, world.clock.now());
  if (taken !== undefined && taken.facts.DbiResourceId !== record.facts.DbiResourceId) {
    throw new AwsError("DBInstanceAlreadyExists", "DB instance already exists");
  }
  return id;
}

/** What waited and is not said anew: saying what is so already takes a waiting change back. */
function stillWaiting({ pending }: InstanceRecord, input: ModifyDBInstanceMessage): PendingValues {
  const said = new Map<string, unknown>(Object.entries(input));
  const again = (name: string): unknown =>
    said.get(name === "Port" ? "DBPortNumber" : name === "DBInstanceIdentifier" ? "NewDBInstanceIdentifier" : name);
  return Object.fromEntries(Object.entries(pending?.values ?? {}).filter(([name]) => again(name) === undefined));
}

/** Waiting changes and new ones together; who wants something now gets what waited as well. */
function pendingOf(
  ground: Ground,
  record: InstanceRecord,
  values: PendingValues,
  immediately: boolean,
): PendingChange | undefined {
  const { world } = ground;
  const { durations } = world.pace;
  if (Object.keys(values).length === 0) return undefined;
  const now = world.clock.now();
  const from = immediately ? now : nextMaintenance(record.facts.PreferredMaintenanceWindow, now);
  const upgrade = values.EngineVersion !== undefined;
  const until = from + (upgrade ? DURATIONS.upgrading : DURATIONS.modifying) * durations;
  return {
    values,
    from,
    until,
    status: upgrade ? "upgrading" : values.DBInstanceIdentifier !== undefined ? "renaming" : "modifying",
    optimizedAt: touchesStorage(values) ? until + DURATIONS.storageOptimization * durations : undefined,
  };
}

function touchesStorage({
  AllocatedStorage: size,
  StorageType: type,
  Iops: iops,
  StorageThroughput: throughput,
}: PendingModifiedValues): boolean {
  return size !== undefined || type !== undefined || iops !== undefined || throughput !== undefined;
}

/** Autoscaling is turned off by a bound that is the size itself. */
function maxStorage(
  most: number | undefined,
  { AllocatedStorage: size }: Pick<InstanceFacts, "AllocatedStorage">,
): number | undefined {
  return most !== undefined && most <= size ? undefined : most;
}

function other<T>(wanted: T | undefined, current: T | undefined): T | undefined {
  return wanted === current ? undefined : wanted;
}
