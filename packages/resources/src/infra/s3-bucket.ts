import { defineResource, exactlyOneOf, immutable, keptOnceSet, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";
import { lifecycleRule } from "./s3/lifecycle-rule.ts";
import { notificationConfiguration } from "./s3/notification.ts";
import { replication } from "./s3/replication.ts";
import { days } from "./s3/storage-class.ts";
import { website } from "./s3/website.ts";

const flag = (description: string) => s.boolean({ description }).optional();
const words = (description: string, maxItems: number, minItems = 0) =>
  s.array(s.string({ minLength: 1, maxLength: 512 }), { description, minItems, maxItems, listType: "set" });

const bucketName = s.string({
  description: "Name of the bucket, unique in all of AWS.",
  minLength: 3,
  maxLength: 63,
  pattern: "^[a-z0-9][a-z0-9.-]*[a-z0-9]$",
  rules: [
    immutable("is immutable: a bucket of another name is another bucket"),
    { rule: "!self.contains('..')", message: "two dots must not stand side by side" },
    { rule: "!self.matches('^[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+$')", message: "must not look like an IP address" },
    {
      rule: "!['xn--', 'sthree-', 'amzn-s3-demo-'].exists(reserved, self.startsWith(reserved))",
      message: "must not begin with xn--, sthree- or amzn-s3-demo-, which AWS keeps for itself",
    },
    {
      rule: "!['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3', '-an'].exists(reserved, self.endsWith(reserved))",
      message: "must not end with -s3alias, --ol-s3, .mrap, --x-s3, --table-s3 or -an, which AWS keeps for itself",
    },
  ],
});

const encryption = s
  .object(
    {
      algorithm: s.string({
        description: "AES256: keys of S3. aws_kms or aws:kms: a KMS key. aws:kms:dsse: a KMS key, twice.",
        enum: ["AES256", "aws_kms", "aws:kms", "aws:kms:dsse"],
      }),
      kmsKeyID: s
        .string({
          description: "Id, ARN or alias of the KMS key. AWS: its own, aws/s3.",
          minLength: 1,
          maxLength: 2048,
        })
        .optional(),
      bucketKeyEnabled: flag("Whether fewer calls to KMS are made with a key of the bucket. AWS: off."),
    },
    {
      description: "How objects are encrypted that do not say it themselves. AWS: AES256.",
      rules: [
        {
          rule: "self.algorithm != 'AES256' || !has(self.kmsKeyID)",
          message: "kmsKeyID is for the algorithms with KMS",
        },
      ],
    },
  )
  .optional();

const publicAccessBlock = s
  .object(
    {
      blockPublicAcls: flag("Refuses ACLs that let everybody in. AWS: on."),
      ignorePublicAcls: flag("ACLs that let everybody in have no effect. AWS: on."),
      blockPublicPolicy: flag("Refuses policies that let everybody in. AWS: on."),
      restrictPublicBuckets: flag("Policies that let everybody in have no effect outside of the account. AWS: on."),
    },
    { description: "What keeps the bucket from being public." },
  )
  .optional();

const corsRule = s.object({
  id: s.string({ description: "Name of the rule.", minLength: 1, maxLength: 255 }).optional(),
  allowedOrigins: words("Origins that may ask; each may have one *.", 100, 1),
  allowedMethods: s.array(s.string({ enum: ["GET", "PUT", "POST", "DELETE", "HEAD"] }), {
    description: "What they may do.",
    minItems: 1,
    maxItems: 5,
    listType: "set",
  }),
  allowedHeaders: words("Headers that they may send; each may have one *.", 100).optional(),
  exposeHeaders: words("Headers of answers that scripts may see.", 100).optional(),
  maxAgeSeconds: s
    .integer({ description: "How long browsers may remember it.", format: "int32", minimum: 0, maximum: 2_147_483_647 })
    .optional(),
});

const logging = s
  .object(
    {
      targetBucket: s.string({ description: "Name of the bucket that logs go to.", minLength: 3, maxLength: 63 }),
      targetPrefix: s.string({ description: "What keys of logs begin with.", maxLength: 1024, default: "" }),
      partitionDateSource: s
        .string({
          description: "Sorts logs by account, region, bucket and this time. AWS: they lie side by side.",
          enum: ["EventTime", "DeliveryTime"],
        })
        .optional(),
    },
    { description: "Where requests are written down." },
  )
  .optional();

const objectLock = s
  .object(
    {
      enabled: s.boolean({
        description: "Always true: AWS cannot turn it off again.",
        rules: [{ rule: "self", message: "object lock cannot be turned off: leave objectLock out" }],
      }),
      defaultRetention: s
        .object(
          {
            mode: s.string({
              description: "Who may shorten it: with GOVERNANCE those who have the right, with COMPLIANCE nobody.",
              enum: ["GOVERNANCE", "COMPLIANCE"],
            }),
            days: days("How long new versions are kept, in days.").optional(),
            years: s
              .integer({
                description: "How long new versions are kept, in years.",
                format: "int32",
                minimum: 1,
                maximum: 100,
              })
              .optional(),
          },
          {
            description: "How long versions are kept that do not say it themselves.",
            rules: [exactlyOneOf("days", "years")],
          },
        )
        .optional(),
    },
    { description: "Keeps versions from being deleted. Needs versioning. Once on, it stays on." },
  )
  .optional();

/** A bucket of S3. */
export const S3Bucket = defineResource({
  ...INFRA_GROUP,
  kind: "S3Bucket",
  shortNames: ["s3"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A bucket of Amazon S3.",
  spec: s.object(
    {
      ...managedSpec,
      bucketName,
      acl: s
        .string({
          description: "Who else may come in by ACL. Other than private needs an objectOwnership that has ACLs.",
          enum: ["private", "public-read", "public-read-write", "authenticated-read"],
        })
        .optional(),
      objectOwnership: s
        .string({
          description:
            "Whose objects are that others write, and whether there are ACLs. AWS: BucketOwnerEnforced, none.",
          enum: ["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"],
        })
        .optional(),
      publicAccessBlock,
      policy: s
        .string({
          description: "Bucket policy, a JSON document. Compared by meaning, not by spelling.",
          maxLength: 20_480,
          pattern: "^\\s*\\{",
        })
        .optional(),
      versioning: s
        .object(
          {
            enabled: s.boolean({
              description: "Whether old versions are kept. Turned off, those that are there stay.",
            }),
          },
          { description: "Versions of objects." },
        )
        .optional(),
      encryption,
      lifecycleRules: s
        .array(lifecycleRule, { description: "Which objects move or go, and when.", maxItems: 100 })
        .optional(),
      corsRules: s
        .array(corsRule, {
          description: "Web pages of other origins that may use the bucket. The first that fits counts.",
          maxItems: 100,
        })
        .optional(),
      logging,
      website,
      notificationConfiguration,
      replication,
      objectLock,
      accelerate: s
        .object({ enabled: s.boolean({ description: "Whether it is on." }) }, { description: "Transfer acceleration." })
        .optional(),
      requestPayment: s
        .string({ description: "Who pays for requests. AWS: BucketOwner.", enum: ["BucketOwner", "Requester"] })
        .optional(),
      forceDestroy: flag(
        "Whether a bucket that is deleted may be emptied first, with all versions. Default: it stays while it has objects.",
      ),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan"],
        "Delete",
        " Delete: it goes if it is empty, or with forceDestroy.",
      ),
    },
    {
      rules: [
        keptOnceSet("objectLock"),
        {
          rule: "!has(self.objectLock) || (has(self.versioning) && self.versioning.enabled)",
          message: "objectLock needs versioning.enabled",
          fieldPath: ".objectLock",
        },
        {
          rule: "!has(self.replication) || (has(self.versioning) && self.versioning.enabled)",
          message: "replication needs versioning.enabled",
          fieldPath: ".replication",
        },
        {
          rule: "!has(self.acl) || self.acl == 'private' || (has(self.objectOwnership) && self.objectOwnership != 'BucketOwnerEnforced')",
          message: "an acl other than private needs objectOwnership BucketOwnerPreferred or ObjectWriter",
          fieldPath: ".acl",
        },
        {
          rule: "!has(self.acl) || !(self.acl in ['public-read', 'public-read-write', 'authenticated-read']) || (has(self.publicAccessBlock) && has(self.publicAccessBlock.blockPublicAcls) && !self.publicAccessBlock.blockPublicAcls)",
          message: "a public acl needs publicAccessBlock.blockPublicAcls: false",
          fieldPath: ".acl",
        },
        {
          rule: "!has(self.accelerate) || !self.bucketName.contains('.')",
          message: "names with dots cannot be accelerated",
          fieldPath: ".accelerate",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    arn: s.string({ description: "ARN of the bucket.", maxLength: 256 }).optional(),
    bucketDomainName: s
      .string({ description: "Host that the bucket is at, in its region.", maxLength: 256 })
      .optional(),
  }),
  columns: [{ name: "Bucket", type: "string", path: ".spec.bucketName" }, ...managedColumns],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "S3Bucket",
    metadata: { name: "invoices", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      bucketName: "shop-invoices-2f6c1a",
      versioning: { enabled: true },
      encryption: { algorithm: "aws_kms", kmsKeyID: "alias/shop", bucketKeyEnabled: true },
      lifecycleRules: [
        {
          id: "old-versions",
          noncurrentVersionExpiration: { noncurrentDays: 90 },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
        },
      ],
      deletionPolicy: "Retain",
      writeOutputsTo: { name: "invoices-bucket", data: { BUCKET: "${name}", BUCKET_ARN: "${arn}" } },
    },
  },
});

/** {@inheritDoc S3Bucket} */
export type S3Bucket = ObjectOf<typeof S3Bucket>;
