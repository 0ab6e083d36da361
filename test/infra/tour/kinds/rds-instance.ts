import assert from "node:assert/strict";
import { RDSInstance } from "@gatewright/resources";
import { core } from "@gatewright/kube/api";
import type { Json, JsonObject } from "@gatewright/kube";
import { tagsIn, textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { FieldStop, KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const described = async (cli: Cli, name: string): Promise<Readonly<Record<string, Json>> | undefined> => {
  const told = await cli.askUnless(/^DBInstanceNotFound/, `rds describe-db-instances --db-instance-identifier ${name}`);
  return within(told, "DBInstances", 0) as Readonly<Record<string, Json>> | undefined;
};
const stop = (field: string, value: Json, seen: JsonObject, more: JsonObject = {}): FieldStop => ({
  field,
  put: { [field]: value, ...more },
  sees: { instance: seen },
});
const ROLE = "arn:aws:iam::000000000000:role/monitoring";
const GROWN = { allocatedStorage: 500 };
const INSIGHTS = { enablePerformanceInsights: true };

/** What time does, or tells of it. */
const PAST = [
  "TagList",
  "LatestRestorableTime",
  "PendingModifiedValues",
  "InstanceCreateTime",
  "MasterUserSecret",
  "SecondaryAvailabilityZone",
  // Told in another form below.
  "DBParameterGroups",
  "EnabledCloudwatchLogsExports",
];

export const rdsInstanceTour: KindTour = {
  title: "RDSInstance",
  resource: managed(RDSInstance),
  find: async (cli, name) => ((await described(cli, name)) === undefined ? undefined : name),
  looks: {
    async instance(cli, name) {
      const told = (await described(cli, name)) ?? {};
      return {
        ...Object.fromEntries(Object.entries(told).filter(([key]) => !PAST.includes(key))),
        managed: within(told, "MasterUserSecret") !== undefined,
        parameters: within(told, "DBParameterGroups", 0, "DBParameterGroupName") ?? null,
        options: within(told, "OptionGroupMemberships", 0, "OptionGroupName") ?? null,
        subnets: within(told, "DBSubnetGroup", "DBSubnetGroupName") ?? null,
        groups: ((told["VpcSecurityGroups"] ?? []) as readonly Json[]).map((each) =>
          textIn(each, "VpcSecurityGroupId"),
        ),
        listens: within(told, "Endpoint", "Port") ?? null,
        logs: told["EnabledCloudwatchLogsExports"] ?? [],
      };
    },
  },
  tags: async (cli, name) => tagsIn((await described(cli, name))?.["TagList"]),
  async open(cli, { user, namespace }) {
    const stringData = { password: "correct-horse", next: "battery-staple" };
    await user.for(core.Secret).apply({ metadata: { namespace, name: "tour-boss" }, stringData });
    const subnets = within(await cli.ask("ec2 describe-subnets"), "Subnets") as readonly Json[];
    const ids = subnets.map((subnet) => textIn(subnet, "SubnetId")).join(" ");
    for (const name of ["tour-first", "tour-second"]) {
      await cli.ask(
        `rds create-db-subnet-group --db-subnet-group-description x --db-subnet-group-name ${name} --subnet-ids ${ids}`,
      );
      await cli.ask(
        `rds create-db-parameter-group --description x --db-parameter-group-family postgres16 --db-parameter-group-name ${name}`,
      );
    }
    const groups: string[] = [];
    for (const name of ["tour-db-first", "tour-db-second"]) {
      groups.push(textIn(await cli.ask(`ec2 create-security-group --description x --group-name ${name}`), "GroupId"));
    }
    const [first = "", second = ""] = groups;
    return {
      // Says all that stays as it is when it leaves the spec.
      spec: (dbInstanceIdentifier) => ({
        dbInstanceIdentifier,
        engine: "postgres",
        engineVersion: "16.8",
        dbInstanceClass: "db.t4g.micro",
        allocatedStorage: 400,
        storageType: "gp3",
        iops: 12_000,
        storageThroughput: 500,
        masterUsername: "boss",
        masterUserPasswordSecretRef: { name: "tour-boss", key: "password" },
        port: 5432,
        publiclyAccessible: false,
        dbSubnetGroupName: "tour-first",
        vpcSecurityGroupIDs: [first],
        caCertificateIdentifier: "rds-ca-rsa2048-g1",
        dbParameterGroupName: "default.postgres16",
        licenseModel: "postgresql-license",
        backupRetentionPeriod: 7,
        preferredBackupWindow: "05:00-06:00",
        preferredMaintenanceWindow: "wed:03:00-wed:04:00",
        applyImmediately: true,
      }),
      made: {
        instance: {
          DBInstanceStatus: "available",
          Engine: "postgres",
          EngineVersion: "16.8",
          AllocatedStorage: 400,
          Iops: 12_000,
          StorageThroughput: 500,
          MasterUsername: "boss",
          groups: [first],
          subnets: "tour-first",
          BackupRetentionPeriod: 7,
        },
      },
      replacement: { put: { storageEncrypted: true }, sees: { instance: { StorageEncrypted: true } } },
      changes: [
        stop("dbInstanceClass", "db.t4g.small", { DBInstanceClass: "db.t4g.small" }),
        stop("maxAllocatedStorage", 1000, { MaxAllocatedStorage: 1000 }),
        stop("storageType", "io1", { StorageType: "io1", Iops: 3000 }, { iops: 3000, storageThroughput: null }),
        stop("iops", 13_000, { Iops: 13_000 }),
        stop("storageThroughput", 600, { StorageThroughput: 600 }),
        stop("manageMasterUserPassword", true, { managed: true }, { masterUserPasswordSecretRef: null }),
        // RDS never tells passwords: that the change is taken is all that can be seen.
        {
          field: "masterUserPassword",
          put: { masterUserPasswordSecretRef: { name: "tour-boss", key: "next" } },
          sees: { instance: { managed: false } },
        },
        stop("port", 5433, { listens: 5433 }),
        stop("multiAZ", true, { MultiAZ: true }),
        stop("publiclyAccessible", true, { PubliclyAccessible: true }),
        stop("dbSubnetGroupName", "tour-second", { subnets: "tour-second" }),
        stop("vpcSecurityGroupIDs", [second], { groups: [second] }),
        stop("networkType", "DUAL", { NetworkType: "DUAL" }),
        stop("caCertificateIdentifier", "rds-ca-ecc384-g1", { CACertificateIdentifier: "rds-ca-ecc384-g1" }),
        stop("enableIAMDatabaseAuthentication", true, { IAMDatabaseAuthenticationEnabled: true }),
        stop("dbParameterGroupName", "tour-first", { parameters: "tour-first" }),
        stop("licenseModel", "bring-your-own-license", { LicenseModel: "bring-your-own-license" }),
        stop("backupRetentionPeriod", 14, { BackupRetentionPeriod: 14 }),
        stop("preferredBackupWindow", "06:00-06:30", { PreferredBackupWindow: "06:00-06:30" }),
        stop("copyTagsToSnapshot", true, { CopyTagsToSnapshot: true }),
        stop("preferredMaintenanceWindow", "sun:01:00-sun:02:00", {
          PreferredMaintenanceWindow: "sun:01:00-sun:02:00",
        }),
        stop("autoMinorVersionUpgrade", false, { AutoMinorVersionUpgrade: false }),
        stop("monitoringInterval", 60, { MonitoringInterval: 60 }, { monitoringRoleARN: ROLE }),
        stop("monitoringRoleARN", ROLE, { MonitoringRoleArn: ROLE }, { monitoringInterval: 15 }),
        stop("enablePerformanceInsights", true, { PerformanceInsightsEnabled: true }),
        stop("performanceInsightsRetentionPeriod", 31, { PerformanceInsightsRetentionPeriod: 31 }, INSIGHTS),
        stop(
          "databaseInsightsMode",
          "advanced",
          { DatabaseInsightsMode: "advanced" },
          { ...INSIGHTS, performanceInsightsRetentionPeriod: 465 },
        ),
        stop("cloudwatchLogsExports", ["postgresql"], { logs: ["postgresql"] }),
        stop("deletionProtection", true, { DeletionProtection: true }),
      ],
      noWayBack: [
        stop("allocatedStorage", 500, { AllocatedStorage: 500 }),
        stop("engineVersion", "16.9", { EngineVersion: "16.9" }, GROWN),
        stop("optionGroupName", "tour-options", { options: "tour-options" }, { ...GROWN, engineVersion: "16.9" }),
      ],
    };
  },
  elsewhere: ["masterUserPassword.afterRestore", "applyImmediately"],
  drift: {
    by: (cli, name) =>
      cli.ask(
        `rds modify-db-instance --apply-immediately --backup-retention-period 1 --db-instance-identifier ${name}`,
      ),
    sees: { instance: { BackupRetentionPeriod: 1 } },
  },
  makeByHand: (cli, name) =>
    cli.ask(
      `rds create-db-instance --tags Key=team,Value=old --engine postgres --engine-version 16.8 --db-instance-class db.t4g.micro --allocated-storage 400 --storage-type gp3 --iops 12000 --storage-throughput 500 --master-username boss --master-user-password correct-horse --db-subnet-group-name tour-first --db-instance-identifier ${name}`,
    ),
  hold: { put: { deletionProtection: true }, reason: "DeletionProtected", letGo: { deletionProtection: false } },
  isReplaceable: true,
  async leaves(cli, name) {
    const told = await cli.ask(`rds describe-db-snapshots --snapshot-type manual --db-instance-identifier ${name}`);
    const snapshots = within(told, "DBSnapshots") as readonly Json[];
    assert.deepEqual(
      snapshots.map((each) => [within(each, "Status"), within(each, "AllocatedStorage")]),
      [["available", 500]],
    );
  },
};
