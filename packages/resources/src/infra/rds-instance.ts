import { defineResource, immutable, needs, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec, objectName } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";
import { RDS_RULES } from "./rds-instance-rules.ts";

const ENGINES = [
  "postgres",
  "mysql",
  "mariadb",
  "oracle-ee",
  "oracle-ee-cdb",
  "oracle-se2",
  "oracle-se2-cdb",
  "sqlserver-ee",
  "sqlserver-se",
  "sqlserver-ex",
  "sqlserver-web",
  "db2-ae",
  "db2-se",
] as const;

const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";
const DAY = "(?i:mon|tue|wed|thu|fri|sat|sun)";

const text = (description: string, maxLength = 255) => s.string({ description, minLength: 1, maxLength }).optional();
const flag = (description: string) => s.boolean({ description }).optional();
const count = (description: string, minimum: number, maximum: number) =>
  s.integer({ description, format: "int32", minimum, maximum }).optional();
const arn = (description: string) =>
  s.string({ description, minLength: 20, maxLength: 2048, pattern: "^arn:" }).optional();

/** A database instance of RDS. */
export const RDSInstance = defineResource({
  ...INFRA_GROUP,
  kind: "RDSInstance",
  shortNames: ["rds"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A database instance of Amazon RDS.",
  spec: s.object(
    {
      ...managedSpec,
      dbInstanceIdentifier: s.string({
        description: "Name of the instance. AWS keeps it in lower case.",
        minLength: 1,
        maxLength: 63,
        pattern: "^[A-Za-z](-?[A-Za-z0-9])*$",
        rules: [immutable("is immutable: an instance of another name is another instance")],
      }),
      engine: s
        .string({
          description: "The database engine. May be left out where a snapshot says it.",
          enum: ENGINES,
          rules: [immutable("is immutable: data of one engine is not of use to another")],
        })
        .optional(),
      engineVersion: s
        .string({
          description:
            "Version of the engine. 16 is satisfied by every 16.x, and a version by newer ones of the same major version: AWS upgrades by itself, and there is no way back. AWS: its default.",
          maxLength: 64,
          pattern: "^[0-9][A-Za-z0-9._-]*$",
        })
        .optional(),
      dbInstanceClass: s
        .string({
          description: "Class, such as db.t4g.micro.",
          maxLength: 64,
          pattern: "^db\\.[a-z0-9-]+(\\.[a-z0-9]+)+$",
        })
        .optional(),
      allocatedStorage: count("Size in GiB. It can grow, by a tenth at least, and never shrink.", 5, 65_536),
      maxAllocatedStorage: count(
        "Up to which size AWS lets it grow by itself, a tenth above allocatedStorage at least. AWS: it does not.",
        6,
        65_536,
      ),
      storageType: s
        .string({
          description: "Type of storage. AWS: gp2, or io1 with iops.",
          enum: ["gp2", "gp3", "io1", "io2", "standard"],
        })
        .optional(),
      iops: count("Operations a second, with io1, io2 and gp3.", 1000, 256_000),
      storageThroughput: count("MiB a second, with gp3.", 125, 4000),
      storageEncrypted: flag("Whether storage is encrypted. Changing it is a replacement. AWS: no."),
      kmsKeyID: text(
        "KMS key of the storage: id, ARN or alias. Changing it is a replacement, but for an alias: AWS does not tell which one was meant, and any counts as the key that it has. AWS: aws/rds.",
        2048,
      ),

      masterUsername: s
        .string({
          description: "The first user. Changing it is a replacement.",
          maxLength: 128,
          pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        })
        .optional(),
      masterUserPasswordSecretRef: s
        .object(
          {
            name: objectName("Name of the Secret."),
            key: s.string({ description: "Key in its data.", minLength: 1, maxLength: 253 }),
          },
          {
            description: "The Secret, in the same namespace, that has the password. New content is written to AWS.",
            mapType: "atomic",
          },
        )
        .optional(),
      masterUserPassword: s
        .string({
          description:
            "The password in plain text: everybody who can read the object, its backups or its history in Git knows it. Use masterUserPasswordSecretRef, which wins over it, or manageMasterUserPassword.",
          pattern: "^[!#-.0-?A-~]{8,128}$",
          maxLength: 128,
        })
        .optional(),
      manageMasterUserPassword: flag("Whether RDS makes the password, keeps it in Secrets Manager and rotates it."),
      masterUserSecretKmsKeyID: text("KMS key of that secret. Counts when RDS takes the password over.", 2048),
      dbName: s
        .string({
          description: "Database that is made with the instance. Changing it is a replacement.",
          maxLength: 64,
          pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        })
        .optional(),

      port: count("Port that it listens on. AWS: by engine.", 1150, 65_535),
      multiAZ: flag("Whether a standby waits in another zone. AWS: no."),
      availabilityZone: text("The zone. Changing it is a replacement. AWS: any.", 64),
      publiclyAccessible: s.boolean({
        description: "Whether it has an address that is reached from outside of the VPC.",
        default: false,
      }),
      dbSubnetGroupName: text("Subnets that it is in. AWS: those of the default VPC."),
      vpcSecurityGroupIDs: s
        .array(s.string({ maxLength: 64, pattern: "^sg-[0-9a-z]+$" }), {
          description: "Its security groups. AWS: the VPC's default.",
          minItems: 1,
          maxItems: 20,
          listType: "set",
        })
        .optional(),
      networkType: s.string({ description: "AWS: IPV4.", enum: ["IPV4", "DUAL"] }).optional(),
      caCertificateIdentifier: text("Authority of its certificate, such as rds-ca-rsa2048-g1.", 64),
      enableIAMDatabaseAuthentication: flag("Whether users may sign in with IAM tokens. AWS: no."),

      dbParameterGroupName: text("Its parameters. Some count after a reboot only. AWS: the default of the engine."),
      optionGroupName: text("Its options. AWS: the default of the engine."),
      licenseModel: s
        .string({
          description: "AWS: by engine.",
          enum: [
            "license-included",
            "bring-your-own-license",
            "general-public-license",
            "postgresql-license",
            "marketplace-license",
          ],
        })
        .optional(),

      backupRetentionPeriod: count("Days for which backups are kept; 0 turns them off. AWS: 1.", 0, 35),
      preferredBackupWindow: s
        .string({
          description: "When backups are taken, UTC: 03:00-04:00. At least half an hour.",
          maxLength: 11,
          pattern: `^${TIME}-${TIME}$`,
        })
        .optional(),
      copyTagsToSnapshot: flag("Whether snapshots get the instance's tags. AWS: no."),
      dbSnapshotIdentifier: s
        .string({
          description: "Make it from this snapshot, by name or ARN. Counts at creation only.",
          minLength: 1,
          maxLength: 2048,
          rules: [immutable("is immutable: it counts at creation only")],
        })
        .optional(),

      preferredMaintenanceWindow: s
        .string({
          description: "When changes are made that interrupt, UTC: sun:05:00-sun:06:00. At least half an hour.",
          maxLength: 19,
          pattern: `^${DAY}:${TIME}-${DAY}:${TIME}$`,
        })
        .optional(),
      applyImmediately: flag(
        "Whether changes that interrupt are made at once, and with them all that wait. Default: in the maintenance window; meanwhile status.pendingChanges has them.",
      ),
      autoMinorVersionUpgrade: flag("Whether AWS installs newer minor versions by itself. AWS: yes."),
      allowMajorVersionUpgrade: flag("Whether engineVersion may lead to another major version."),

      monitoringInterval: s
        .integer({
          description: "Seconds between samples of the operating system; 0 turns it off.",
          format: "int32",
          enum: [0, 1, 5, 10, 15, 30, 60],
        })
        .optional(),
      monitoringRoleARN: arn("Role that writes them to CloudWatch."),
      enablePerformanceInsights: flag("Whether Performance Insights is on. AWS: no."),
      performanceInsightsKMSKeyID: text("KMS key of Performance Insights. Counts when it is turned on.", 2048),
      performanceInsightsRetentionPeriod: count("Days for which its data is kept: 7, 731 or months of 31.", 7, 731),
      databaseInsightsMode: s.string({ description: "AWS: standard.", enum: ["standard", "advanced"] }).optional(),
      cloudwatchLogsExports: s
        .array(s.string({ maxLength: 64, pattern: "^[a-z][a-z.-]*$" }), {
          description: "Logs that go to CloudWatch, such as postgresql or slowquery.",
          maxItems: 20,
          listType: "set",
        })
        .optional(),

      deletionProtection: flag("Whether AWS refuses to delete it. Turn it off here to delete. AWS: no."),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan", "Snapshot"],
        "Delete",
        " Delete: it goes, after a final snapshot unless skipFinalSnapshot. Snapshot: it goes, after a final snapshot in any case.",
      ),
      skipFinalSnapshot: flag("With Delete: its data goes with it."),
      finalSnapshotIdentifier: s
        .string({
          description: "Name of the final snapshot. Default: the instance's name, -final- and what makes it unique.",
          maxLength: 255,
          pattern: "^[A-Za-z](-?[A-Za-z0-9])*$",
        })
        .optional(),
      deleteAutomatedBackups: flag("Whether backups that AWS took by itself go with it. AWS: yes."),
    },
    { rules: [...RDS_RULES, needs("monitoringRoleARN", "monitoringInterval")] },
  ),
  status: s.object({
    ...managedStatus,
    dbInstanceArn: s.string({ description: "ARN of the instance.", maxLength: 2048 }).optional(),
    endpoint: s.string({ description: "Host that it is reached at.", maxLength: 255 }).optional(),
    port: s.integer({ description: "Port that it is reached at.", format: "int32" }).optional(),
    status: s.string({ description: "What AWS says it is doing, such as available.", maxLength: 64 }).optional(),
    engineVersion: s.string({ description: "Version that runs.", maxLength: 64 }).optional(),
    allocatedStorage: s.integer({ description: "Size in GiB.", format: "int32" }).optional(),
    username: s.string({ description: "The first user.", maxLength: 128 }).optional(),
    dbName: s.string({ description: "The first database.", maxLength: 64 }).optional(),
    availabilityZone: s.string({ description: "Zone that it runs in.", maxLength: 64 }).optional(),
    masterUserSecretArn: s
      .string({ description: "Secret of Secrets Manager that RDS keeps the password in.", maxLength: 2048 })
      .optional(),
    rebootNeeded: s.boolean({ description: "Whether parameters wait for a reboot." }).optional(),
    pendingChanges: s
      .map(s.string({ maxLength: 255 }), {
        description: "What AWS is about to change, or will in the maintenance window, by field.",
        maxProperties: 40,
      })
      .optional(),
  }),
  columns: [
    { name: "Instance", type: "string", path: ".spec.dbInstanceIdentifier" },
    { name: "Engine", type: "string", path: ".spec.engine" },
    { name: "Class", type: "string", path: ".spec.dbInstanceClass" },
    { name: "Status", type: "string", path: ".status.status" },
    ...managedColumns,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "RDSInstance",
    metadata: { name: "orders", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      dbInstanceIdentifier: "shop-orders",
      engine: "postgres",
      engineVersion: "17",
      dbInstanceClass: "db.t4g.small",
      allocatedStorage: 20,
      maxAllocatedStorage: 100,
      storageEncrypted: true,
      masterUsername: "shop",
      manageMasterUserPassword: true,
      dbName: "orders",
      backupRetentionPeriod: 7,
      deletionProtection: true,
      writeOutputsTo: { name: "orders-database", data: { DB_HOST: "${endpoint}", DB_PORT: "${port}" } },
    },
  },
});

/** {@inheritDoc RDSInstance} */
export type RDSInstance = ObjectOf<typeof RDSInstance>;
