import type { JsonObject } from "@gatewright/kube";

const OPEN = { publicAccessBlock: { blockPublicPolicy: false, restrictPublicBuckets: false } };
const OPEN_ACLS = { objectOwnership: "ObjectWriter", publicAccessBlock: { blockPublicAcls: false } };
const VERSIONS = { versioning: { enabled: true } };
const ROLE = "arn:aws:iam::000000000000:role/copies";
const QUEUE = "arn:aws:sqs:eu-west-1:000000000000:events";
const TOPIC = "arn:aws:sns:eu-west-1:000000000000:events";
const LAMBDA = "arn:aws:lambda:eu-west-1:000000000000:function:events";

/** Buckets that samples point to: they keep versions. */
export const OTHER_BUCKETS = ["samples-logs", "samples-copies", "samples-more-copies"];

/** What the references of samples lead to. */
export const GIVEN: Readonly<Record<string, string>> = {
  "notificationConfiguration.queues[0].queueRef": QUEUE,
  "notificationConfiguration.topics[0].topicRef": TOPIC,
};

const flags = (flag: string): JsonObject[] => [false, true].map((value) => ({ publicAccessBlock: { [flag]: value } }));

/** Pieces of specs for each field of S3Bucket. */
export const S3_SAMPLES: Readonly<Record<string, readonly JsonObject[]>> = {
  acl: [
    { acl: "private" },
    { ...OPEN_ACLS, acl: "public-read" },
    { ...OPEN_ACLS, acl: "public-read-write" },
    { ...OPEN_ACLS, acl: "authenticated-read" },
  ],
  objectOwnership: ["BucketOwnerPreferred", "BucketOwnerEnforced", "ObjectWriter"].map((objectOwnership) => ({
    objectOwnership,
  })),
  "publicAccessBlock.blockPublicAcls": flags("blockPublicAcls"),
  "publicAccessBlock.ignorePublicAcls": flags("ignorePublicAcls"),
  "publicAccessBlock.blockPublicPolicy": flags("blockPublicPolicy"),
  "publicAccessBlock.restrictPublicBuckets": flags("restrictPublicBuckets"),
  policy: [
    { policy: policyOf({ Principal: { AWS: "111111111111" } }) },
    { policy: policyOf({ Principal: { AWS: "111111111111" } }).replace('"Version":"2012-10-17",', "") },
    {
      policy: policyOf({
        Principal: { AWS: ["arn:aws:iam::111111111111:role/a", "arn:aws:iam::111111111111:role/b"] },
      }),
    },
    { ...OPEN, policy: policyOf({ Principal: "*" }) },
    {
      policy: policyOf({
        Principal: "*",
        Effect: "Deny",
        Action: ["s3:PutObject", "s3:DeleteObject"],
        Condition: { Bool: { "aws:SecureTransport": false } },
      }),
    },
  ],
  "versioning.enabled": [true, false].map((enabled) => ({ versioning: { enabled } })),
  "encryption.algorithm": ["aws_kms", "AES256", "aws:kms", "aws:kms:dsse"].map((algorithm) => ({
    encryption: { algorithm },
  })),
  "encryption.kmsKeyID": ["alias/one", "alias/two", "arn:aws:kms:eu-west-1:000000000000:key/3"].map((kmsKeyID) => ({
    encryption: { algorithm: "aws:kms", kmsKeyID },
  })),
  "encryption.bucketKeyEnabled": [true, false].map((bucketKeyEnabled) => ({
    encryption: { algorithm: "aws_kms", bucketKeyEnabled },
  })),
  lifecycleRules: [
    [{ id: "old", prefix: "logs/", expiration: { days: 30 } }],
    [{ expiration: { days: 1 } }, { prefix: "a/", enabled: false, expiration: { date: "2040-01-31" } }],
    [{ expiration: { expiredObjectDeleteMarker: true } }],
    [
      {
        id: "z",
        tags: { a: "1", b: "2" },
        objectSizeGreaterThan: 1_000,
        objectSizeLessThan: 1_000_000,
        transitions: [
          { days: 90, storageClass: "GLACIER" },
          { days: 30, storageClass: "STANDARD_IA" },
          { days: 180, storageClass: "DEEP_ARCHIVE" },
        ],
      },
      { id: "a", tags: { only: "" }, transitions: [{ days: 0, storageClass: "INTELLIGENT_TIERING" }] },
      { id: "m", objectSizeLessThan: 10, transitions: [{ date: "2041-12-01", storageClass: "ONEZONE_IA" }] },
    ],
    [
      {
        noncurrentVersionExpiration: { noncurrentDays: 10, newerNoncurrentVersions: 3 },
        noncurrentVersionTransitions: [{ noncurrentDays: 1, storageClass: "GLACIER_IR" }],
        abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
      },
    ],
    [],
  ].map((lifecycleRules) => ({ lifecycleRules })),
  corsRules: [
    [{ allowedOrigins: ["https://example.com"], allowedMethods: ["GET"] }],
    [
      {
        id: "writers",
        allowedOrigins: ["https://*.example.com", "http://localhost"],
        allowedMethods: ["PUT", "POST", "DELETE"],
        allowedHeaders: ["*"],
        exposeHeaders: ["ETag", "x-amz-id"],
        maxAgeSeconds: 600,
      },
      { allowedOrigins: ["*"], allowedMethods: ["HEAD", "GET"] },
    ],
    [{ allowedOrigins: ["*"], allowedMethods: ["GET"], maxAgeSeconds: 0 }],
    [],
  ].map((corsRules) => ({ corsRules })),
  logging: [
    { targetBucket: "samples-logs" },
    { targetBucket: "samples-logs", targetPrefix: "a/" },
    { targetBucket: "samples-copies", targetPrefix: "b/", partitionDateSource: "EventTime" },
  ].map((logging) => ({ logging })),
  website: [
    { indexDocument: "index.html" },
    { indexDocument: "start.html", errorDocument: "errors/404.html" },
    { redirectAllRequestsTo: { hostName: "www.example.com", protocol: "https" } },
    {
      indexDocument: "index.html",
      routingRules: [
        { condition: { keyPrefixEquals: "old/" }, redirect: { replaceKeyPrefixWith: "new/", httpRedirectCode: "302" } },
        { condition: { httpErrorCodeReturnedEquals: "404" }, redirect: { hostName: "example.org", protocol: "http" } },
        { redirect: { replaceKeyWith: "all.html" } },
      ],
    },
  ].map((website) => ({ website })),
  notificationConfiguration: [
    { queues: [{ queueARN: QUEUE, events: ["s3:ObjectCreated:*"] }] },
    {
      queues: [
        { queueRef: { name: "events" }, events: ["s3:ObjectRemoved:*", "s3:ObjectCreated:Put"], filterPrefix: "in/" },
      ],
    },
    {
      topics: [{ topicRef: { name: "events" }, events: ["s3:ObjectCreated:*"], filterSuffix: ".jpg" }],
      lambdaFunctions: [
        { id: "z", functionARN: LAMBDA, events: ["s3:ObjectCreated:Put"], filterPrefix: "a", filterSuffix: "b" },
        { functionARN: `${LAMBDA}-2`, events: ["s3:ObjectRemoved:Delete"] },
      ],
      eventBridge: true,
    },
    { topics: [{ id: "t", topicARN: TOPIC, events: ["s3:ObjectCreated:Copy"] }] },
    { eventBridge: true },
    {},
  ].map((notificationConfiguration) => ({ notificationConfiguration })),
  replication: [
    [{ destination: { bucketARN: "arn:aws:s3:::samples-copies" } }],
    [
      {
        id: "b",
        prefix: "b/",
        deleteMarkers: true,
        replicaModifications: true,
        destination: {
          bucketARN: "arn:aws:s3:::samples-copies",
          storageClass: "STANDARD_IA",
          accountID: "000000000000",
          ownedByDestination: true,
          replicationTimeControl: true,
        },
      },
      {
        id: "a",
        enabled: false,
        tags: { copy: "yes" },
        kmsEncryptedObjects: true,
        destination: {
          bucketARN: "arn:aws:s3:::samples-more-copies",
          kmsKeyID: "arn:aws:kms:eu-west-1:000000000000:key/3",
        },
      },
    ],
    [{ priority: 7, prefix: "x", tags: { a: "1" }, destination: { bucketARN: "arn:aws:s3:::samples-more-copies" } }],
  ].map((rules) => ({ ...VERSIONS, replication: { role: ROLE, rules } })),
  "objectLock.defaultRetention": [
    { mode: "GOVERNANCE", days: 1 },
    { mode: "COMPLIANCE", days: 30 },
    { mode: "GOVERNANCE", years: 2 },
    undefined,
  ].map((defaultRetention) => ({
    ...VERSIONS,
    objectLock: { enabled: true, ...(defaultRetention && { defaultRetention }) },
  })),
  "accelerate.enabled": [true, false].map((enabled) => ({ accelerate: { enabled } })),
  requestPayment: ["Requester", "BucketOwner"].map((requestPayment) => ({ requestPayment })),
};

function policyOf(more: JsonObject): string {
  const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::(name)/*", ...more };
  return JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
}
