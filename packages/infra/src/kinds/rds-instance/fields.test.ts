import { CreateSecurityGroupCommand, DescribeSubnetsCommand, EC2Client } from "@aws-sdk/client-ec2";
import {
  CreateDBParameterGroupCommand,
  CreateDBSubnetGroupCommand,
  DescribeDBInstancesCommand,
  RDSClient,
} from "@aws-sdk/client-rds";
import type { JsonObject } from "@gatewright/kube";
import { RDSInstance } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { rdsInstance } from "./index.ts";

const ROLE = "arn:aws:iam::000000000000:role/monitoring";
/** Filled when the groups are made. */
const groups: string[] = [];
const one: string[] = [];
const other: string[] = [];

const each = (name: string, ...values: readonly JsonObject[string][]): JsonObject[] =>
  values.map((value) => ({ [name]: value }));

/** Says all that stays as it is when it leaves the spec, so that leaving out a piece is going back to this. */
const BASE: JsonObject = {
  engine: "postgres",
  engineVersion: "16.9",
  dbInstanceClass: "db.t4g.micro",
  allocatedStorage: 400,
  storageType: "gp3",
  iops: 12_000,
  storageThroughput: 500,
  masterUsername: "boss",
  masterUserPasswordSecretRef: { name: "boss", key: "password" },
  port: 5432,
  dbSubnetGroupName: "default",
  vpcSecurityGroupIDs: groups,
  caCertificateIdentifier: "rds-ca-rsa2048-g1",
  dbParameterGroupName: "default.postgres16",
  optionGroupName: "default:postgres-16",
  licenseModel: "postgresql-license",
  backupRetentionPeriod: 7,
  preferredBackupWindow: "05:00-06:00",
  preferredMaintenanceWindow: "wed:03:00-wed:04:00",
  applyImmediately: true,
};

const INSIGHTS = { enablePerformanceInsights: true };

fieldsRoundTrip({
  kind: anyKind(rdsInstance),
  definition: RDSInstance,
  open: () => kindWorld({ listening: true, pace: { durations: 0, lag: false }, services: { rds: { quota: 10_000 } } }),
  base: (number) => ({ ...BASE, dbInstanceIdentifier: `sample-${number}` }),
  samples: {
    dbInstanceClass: each("dbInstanceClass", "db.t4g.small", "db.m7g.large", "db.t3.micro"),
    maxAllocatedStorage: each("maxAllocatedStorage", 500, 1000, 2000),
    storageType: [
      { storageType: "io1", iops: 3000, storageThroughput: null },
      { storageType: "io2", iops: 3000, storageThroughput: null },
      { storageType: "gp3", iops: 4000 },
    ],
    iops: each("iops", 13_000, 14_000, 20_000),
    storageThroughput: each("storageThroughput", 600, 700, 1000),
    manageMasterUserPassword: [
      { manageMasterUserPassword: true, masterUserPasswordSecretRef: null },
      { manageMasterUserPassword: false },
    ],
    port: each("port", 5433, 1150, 65_535),
    multiAZ: each("multiAZ", true, false),
    publiclyAccessible: each("publiclyAccessible", true, false),
    dbSubnetGroupName: each("dbSubnetGroupName", "first", "second", "third"),
    vpcSecurityGroupIDs: [
      { vpcSecurityGroupIDs: one },
      { vpcSecurityGroupIDs: other },
      { vpcSecurityGroupIDs: groups },
    ],
    networkType: each("networkType", "DUAL", "IPV4"),
    caCertificateIdentifier: each(
      "caCertificateIdentifier",
      "rds-ca-ecc384-g1",
      "rds-ca-rsa4096-g1",
      "rds-ca-rsa2048-g1",
    ),
    enableIAMDatabaseAuthentication: each("enableIAMDatabaseAuthentication", true, false),
    dbParameterGroupName: each("dbParameterGroupName", "first", "second", "third"),
    optionGroupName: each("optionGroupName", "first", "second", "third"),
    licenseModel: each("licenseModel", "license-included", "bring-your-own-license", "postgresql-license"),
    backupRetentionPeriod: each("backupRetentionPeriod", 0, 1, 35),
    preferredBackupWindow: each("preferredBackupWindow", "06:00-06:30", "22:00-23:15", "12:30-13:15"),
    copyTagsToSnapshot: each("copyTagsToSnapshot", true, false),
    preferredMaintenanceWindow: each(
      "preferredMaintenanceWindow",
      "sun:01:00-sun:02:00",
      "Sat:23:30-Sun:00:30",
      "tue:10:00-tue:12:00",
    ),
    autoMinorVersionUpgrade: each("autoMinorVersionUpgrade", false, true),
    monitoringInterval: each("monitoringInterval", 1, 60, 15).map((piece) => ({ ...piece, monitoringRoleARN: ROLE })),
    monitoringRoleARN: each("monitoringRoleARN", ROLE, `${ROLE}-2`, `${ROLE}-3`).map((piece) => ({
      ...piece,
      monitoringInterval: 60,
    })),
    enablePerformanceInsights: each("enablePerformanceInsights", true, false),
    performanceInsightsRetentionPeriod: each("performanceInsightsRetentionPeriod", 31, 731, 62).map((piece) => ({
      ...piece,
      ...INSIGHTS,
    })),
    databaseInsightsMode: [
      { databaseInsightsMode: "advanced", ...INSIGHTS, performanceInsightsRetentionPeriod: 465 },
      { databaseInsightsMode: "standard" },
    ],
    cloudwatchLogsExports: each("cloudwatchLogsExports", ["postgresql"], ["upgrade", "postgresql"], []),
    deletionProtection: each("deletionProtection", true, false),
  },
  twoValued: ["networkType", "databaseInsightsMode"],
  except: {
    engineVersion: "AWS goes up only: tested by itself",
    allocatedStorage: "AWS goes up only: tested by itself",
    masterUserPassword: "AWS never tells: tested by itself",
    applyImmediately: "says when, and not what: tested by itself",
    "masterUserPassword.afterRestore": "needs a snapshot: tested by itself",
  },
  async prepare(stage) {
    const rds = (): RDSClient => client(stage);
    const ec2 = (): EC2Client => new EC2Client(stage.sdk());
    const { Subnets: subnets = [] } = await stage.passing(ec2().send(new DescribeSubnetsCommand()));
    const SubnetIds = subnets.map(({ SubnetId: id = "" }) => id);
    for (const name of ["first", "second", "third"]) {
      await stage.passing(
        rds().send(
          new CreateDBSubnetGroupCommand({ DBSubnetGroupName: name, DBSubnetGroupDescription: name, SubnetIds }),
        ),
      );
      await stage.passing(
        rds().send(
          new CreateDBParameterGroupCommand({
            DBParameterGroupName: name,
            DBParameterGroupFamily: "postgres16",
            Description: name,
          }),
        ),
      );
      const group = await stage.passing(
        ec2().send(new CreateSecurityGroupCommand({ GroupName: name, Description: name })),
      );
      groups.push(group.GroupId ?? "");
    }
    one.push(...groups.slice(0, 1));
    other.push(...groups.slice(1));
    return { masterUserPasswordSecretRef: "correct-horse" };
  },
  look,
});

const clients = new WeakMap<KindStage, RDSClient>();

/** A client learns the server's clock from its answers, which is not the stage's: before each call it is told. */
function client(stage: KindStage): RDSClient {
  const known = clients.get(stage) ?? new RDSClient(stage.sdk());
  clients.set(stage, known);
  known.config.systemClockOffset = stage.sdk().systemClockOffset;
  return known;
}

/** All that AWS tells of an instance, but for what is its own and what time does. */
async function look(stage: KindStage, id: string): Promise<unknown> {
  const rds = client(stage);
  const { DBInstances: [told] = [] } = await rds.send(new DescribeDBInstancesCommand({ DBInstanceIdentifier: id }));
  const {
    DbiResourceId: _,
    InstanceCreateTime: __,
    LatestRestorableTime: ___,
    MasterUserSecret: secret,
    DBParameterGroups: parameters,
    EnabledCloudwatchLogsExports: logs = [],
    TagList: tags = [],
    AvailabilityZone: ____,
    SecondaryAvailabilityZone: _____,
    ...rest
  } = told ?? {};
  return {
    ...rest,
    managed: secret?.SecretStatus,
    parameters: parameters?.map(({ DBParameterGroupName: name }) => name),
    logs: logs.toSorted(),
    tags: tags.map(({ Key: key, Value: value }) => `${key}=${value}`).toSorted(),
  };
}
