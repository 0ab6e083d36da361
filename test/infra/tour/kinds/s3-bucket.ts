import type { Json, JsonObject } from "@gatewright/kube";
import { S3Bucket } from "@gatewright/resources";
import { tagsIn, textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { FieldStop, KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

/** The codes by which S3 says that a bucket has nothing of a section. */
const NOTHING = /^NoSuch(?!Bucket$)|NotFoundError$/;
const section = (command: string) => (cli: Cli, bucket: string) =>
  cli.askUnless(NOTHING, `s3api ${command} --bucket ${bucket}`);

const create = (cli: Cli, bucket: string) =>
  cli.ask(`s3api create-bucket --bucket ${bucket} --create-bucket-configuration LocationConstraint=eu-west-1`);

const shut = (flag: string, member: string): FieldStop => ({
  field: `publicAccessBlock.${flag}`,
  put: { publicAccessBlock: { [flag]: false } },
  sees: { publicAccessBlock: { PublicAccessBlockConfiguration: { [member]: false } } },
});
const encrypted = (field: string, encryption: JsonObject, rule: JsonObject): FieldStop => ({
  field: `encryption.${field}`,
  put: { encryption },
  sees: { encryption: { ServerSideEncryptionConfiguration: { Rules: [rule] } } },
});
const stop = (field: string, value: Json, look: string, seen: Json): FieldStop => ({
  field,
  put: { [field]: value },
  sees: { [look]: seen },
});
const ROLE = "arn:aws:iam::000000000000:role/copies";
const VERSIONS = { versioning: { enabled: true } };

export const s3BucketTour: KindTour = {
  title: "S3Bucket",
  resource: managed(S3Bucket),
  async find(cli, bucket) {
    const told = await cli.askUnless(/404|NoSuchBucket/, `s3api head-bucket --bucket ${bucket}`);
    return told === undefined ? undefined : bucket;
  },
  looks: {
    accelerate: section("get-bucket-accelerate-configuration"),
    acl: async (cli, bucket) => within(await section("get-bucket-acl")(cli, bucket), "Grants"),
    cors: section("get-bucket-cors"),
    encryption: section("get-bucket-encryption"),
    lifecycle: section("get-bucket-lifecycle-configuration"),
    location: section("get-bucket-location"),
    logging: section("get-bucket-logging"),
    notification: section("get-bucket-notification-configuration"),
    objectLock: section("get-object-lock-configuration"),
    ownership: section("get-bucket-ownership-controls"),
    policy: section("get-bucket-policy"),
    publicAccessBlock: section("get-public-access-block"),
    replication: section("get-bucket-replication"),
    requestPayment: section("get-bucket-request-payment"),
    versioning: section("get-bucket-versioning"),
    website: section("get-bucket-website"),
  },
  async tags(cli, bucket) {
    return tagsIn(within(await section("get-bucket-tagging")(cli, bucket), "TagSet"));
  },
  async open(cli) {
    for (const bucket of ["tour-logs", "tour-copies"]) {
      await create(cli, bucket);
      await cli.ask(`s3api put-bucket-versioning --versioning-configuration Status=Enabled --bucket ${bucket}`);
    }
    await cli.ask("s3api put-bucket-policy --bucket tour-logs --policy", {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Service: "logging.s3.amazonaws.com" },
          Action: "s3:PutObject",
          Resource: "arn:aws:s3:::tour-logs/*",
        },
      ],
    });
    const queue = await cli.ask("sqs create-queue --queue-name tour-events");
    const told = await cli.ask(
      `sqs get-queue-attributes --attribute-names QueueArn --queue-url ${textIn(queue, "QueueUrl")}`,
    );
    const queueARN = textIn(told, "Attributes", "QueueArn");
    return {
      // Buckets that ever kept versions, or were accelerated, tell so for ever: this one says what it is from the beginning.
      spec: (bucketName) => ({
        bucketName,
        versioning: { enabled: false },
        accelerate: { enabled: false },
        publicAccessBlock: ALL_SHUT,
      }),
      made: {
        location: { LocationConstraint: "eu-west-1" },
        publicAccessBlock: {
          PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
        },
      },
      oneWay: {
        versioning: "S3 tells for ever that a bucket once kept versions",
        accelerate: "S3 tells for ever that a bucket was once accelerated",
      },
      changes: changesWith(queueARN),
      noWayBack: LOCKED,
    };
  },
  drift: {
    by: (cli, bucket) => cli.ask(`s3api delete-public-access-block --bucket ${bucket}`),
    sees: { publicAccessBlock: null },
  },
  async makeByHand(cli, bucket) {
    await create(cli, bucket);
    await cli.ask(`s3api put-bucket-tagging --tagging TagSet=[{Key=team,Value=old}] --bucket ${bucket}`);
  },
  hold: {
    by: (cli, bucket) => cli.ask(`s3api put-object --key kept/one.txt --bucket ${bucket}`),
    reason: "NotEmpty",
    letGo: { forceDestroy: true },
  },
};

const ALL_SHUT = {
  blockPublicAcls: true,
  ignorePublicAcls: true,
  blockPublicPolicy: true,
  restrictPublicBuckets: true,
};

function changesWith(queueARN: string): readonly FieldStop[] {
  const policy = {
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111111111111:root" },
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::tour-s3bucket-main/*",
      },
    ],
  };
  return [
    shut("blockPublicAcls", "BlockPublicAcls"),
    shut("ignorePublicAcls", "IgnorePublicAcls"),
    shut("blockPublicPolicy", "BlockPublicPolicy"),
    shut("restrictPublicBuckets", "RestrictPublicBuckets"),
    stop("objectOwnership", "ObjectWriter", "ownership", {
      OwnershipControls: { Rules: [{ ObjectOwnership: "ObjectWriter" }] },
    }),
    {
      field: "acl",
      put: {
        acl: "public-read",
        objectOwnership: "ObjectWriter",
        publicAccessBlock: { ...ALL_SHUT, blockPublicAcls: false, ignorePublicAcls: false },
      },
      sees: {
        acl: [
          { Permission: "FULL_CONTROL" },
          { Grantee: { URI: "http://acs.amazonaws.com/groups/global/AllUsers" }, Permission: "READ" },
        ],
      },
    },
    stop("policy", JSON.stringify(policy), "policy", { Policy: policy }),
    {
      field: "versioning.enabled",
      put: VERSIONS,
      sees: { versioning: { Status: "Enabled" } },
    },
    encrypted(
      "algorithm",
      { algorithm: "aws:kms" },
      { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms" } },
    ),
    encrypted(
      "kmsKeyID",
      { algorithm: "aws_kms", kmsKeyID: "alias/shop" },
      { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: "alias/shop" } },
    ),
    encrypted("bucketKeyEnabled", { algorithm: "aws:kms", bucketKeyEnabled: true }, { BucketKeyEnabled: true }),
    stop("lifecycleRules", [{ id: "old", prefix: "logs/", expiration: { days: 30 } }], "lifecycle", {
      Rules: [{ ID: "old", Status: "Enabled", Filter: { Prefix: "logs/" }, Expiration: { Days: 30 } }],
    }),
    stop("corsRules", [{ allowedOrigins: ["https://shop.example"], allowedMethods: ["GET", "PUT"] }], "cors", {
      CORSRules: [{ AllowedOrigins: ["https://shop.example"], AllowedMethods: ["GET", "PUT"] }],
    }),
    stop("logging", { targetBucket: "tour-logs", targetPrefix: "main/" }, "logging", {
      LoggingEnabled: { TargetBucket: "tour-logs", TargetPrefix: "main/" },
    }),
    stop("website", { indexDocument: "index.html", errorDocument: "404.html" }, "website", {
      IndexDocument: { Suffix: "index.html" },
      ErrorDocument: { Key: "404.html" },
    }),
    stop(
      "notificationConfiguration",
      { queues: [{ queueARN, events: ["s3:ObjectCreated:*"], filterPrefix: "in/" }] },
      "notification",
      { QueueConfigurations: [{ QueueArn: queueARN, Events: ["s3:ObjectCreated:*"] }] },
    ),
    {
      field: "replication",
      put: {
        ...VERSIONS,
        replication: { role: ROLE, rules: [{ id: "all", destination: { bucketARN: "arn:aws:s3:::tour-copies" } }] },
      },
      sees: {
        replication: {
          ReplicationConfiguration: {
            Role: ROLE,
            Rules: [{ ID: "all", Status: "Enabled", Destination: { Bucket: "arn:aws:s3:::tour-copies" } }],
          },
        },
      },
    },
    {
      field: "accelerate.enabled",
      put: { accelerate: { enabled: true } },
      sees: { accelerate: { Status: "Enabled" } },
    },
    stop("requestPayment", "Requester", "requestPayment", { Payer: "Requester" }),
  ];
}

/** It cannot be turned off; what is written while there is a retention could not be deleted, so that goes first. */
const LOCKED: readonly FieldStop[] = [
  {
    field: "objectLock.defaultRetention",
    put: { ...VERSIONS, objectLock: { enabled: true, defaultRetention: { mode: "GOVERNANCE", days: 1 } } },
    sees: { objectLock: { ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: "GOVERNANCE", Days: 1 } } } } },
  },
  {
    field: "objectLock.enabled",
    put: { ...VERSIONS, objectLock: { enabled: true } },
    sees: { objectLock: { ObjectLockConfiguration: { ObjectLockEnabled: "Enabled", Rule: null } } },
  },
];
