import type { ServiceName } from "@gatewright/aws-wire";
import type { BucketSize } from "./token-bucket.ts";

/** A bucket and the calls that take from it. */
export interface CallRate extends BucketSize {
  /** Default: all of the service. */
  readonly operations?: readonly string[];
  /** What a call takes: a token, or one for each record that it changes. */
  readonly cost?: "record changes";
}

/** How fast the calls of services may be made; a service that is not named, as fast as they come. */
export type CallRates = Readonly<Partial<Record<ServiceName, readonly CallRate[]>>>;

const each = (rate: number, ...names: readonly string[]): CallRate[] => bursts(rate, rate, ...names);
/** A bucket for each. */
const bursts = (capacity: number, refill: number, ...names: readonly string[]): CallRate[] =>
  names.map((name) => ({ capacity, refill, operations: [name] }));
/** A bucket for all of them. */
const together = (capacity: number, refill: number, ...names: readonly string[]): CallRate[] => [
  { capacity, refill, operations: names },
];

/**
 * What AWS gives an account that never asked for more. Route 53 and IAM count for the whole account; the rest by region. Others of the
 * account take from the same: who shares it with many sets less. Those of Route 53, ACM, tagging, EC2, DynamoDB and Secrets Manager
 * are what AWS publishes. The others are guesses on the low side, since AWS tells few or none of them.
 */
export const STANDARD_RATES: CallRates = {
  route53: [
    { capacity: 1_500, refill: 100, operations: ["ChangeResourceRecordSets"], cost: "record changes" },
    { capacity: 50, refill: 10 },
  ],
  acm: [
    ...each(10, "DescribeCertificate", "DeleteCertificate", "ListTagsForCertificate"),
    ...each(8, "ListCertificates"),
    ...each(5, "RequestCertificate", "AddTagsToCertificate"),
    ...each(1, "ImportCertificate"),
  ],
  tagging: each(15, "GetResources"),
  ec2: [
    ...bursts(
      100,
      20,
      "DescribeIamInstanceProfileAssociations",
      "DescribeInstanceAttribute",
      "DescribeInstances",
      "DescribeSubnets",
      "DescribeVolumes",
      "DescribeVolumesModifications",
    ),
    ...bursts(5, 2, "RunInstances", "StartInstances"),
    ...bursts(
      50,
      5,
      "ModifyInstanceAttribute",
      "ModifyVolume",
      "MonitorInstances",
      "ReplaceIamInstanceProfileAssociation",
      "StopInstances",
      "UnmonitorInstances",
    ),
    ...bursts(
      100,
      5,
      "AssociateIamInstanceProfile",
      "DisassociateIamInstanceProfile",
      "ModifyInstanceMetadataOptions",
      "TerminateInstances",
    ),
    ...bursts(100, 10, "CreateTags", "DeleteTags"),
  ],
  rds: [
    ...together(
      100,
      20,
      "DescribeDBEngineVersions",
      "DescribeDBInstances",
      "DescribeDBSnapshots",
      "ListTagsForResource",
    ),
    ...together(
      50,
      5,
      "AddTagsToResource",
      "CreateDBInstance",
      "DeleteDBInstance",
      "DeleteDBSnapshot",
      "ModifyDBInstance",
      "RebootDBInstance",
      "RemoveTagsFromResource",
      "RestoreDBInstanceFromDBSnapshot",
      "StartDBInstance",
      "StopDBInstance",
    ),
  ],
  s3: [...together(100, 10, "CreateBucket", "DeleteBucket", "ListBuckets"), { capacity: 200, refill: 100 }],
  sqs: [
    ...together(30, 30, "ListQueueTags", "TagQueue", "UntagQueue"),
    ...together(100, 50, "CreateQueue", "DeleteQueue", "GetQueueAttributes", "GetQueueUrl", "SetQueueAttributes"),
  ],
  dynamodb: [
    ...each(5, "TagResource", "UntagResource"),
    ...each(10, "ListTagsOfResource"),
    ...together(100, 50, "CreateTable", "DeleteTable", "UpdateTable", "UpdateContinuousBackups", "UpdateTimeToLive"),
    ...together(500, 500, "DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive", "ListTables"),
  ],
  sns: [
    ...each(10, "ListTagsForResource", "TagResource", "UntagResource"),
    ...each(30, "ListTopics", "ListSubscriptionsByTopic"),
    ...each(100, "Subscribe", "Unsubscribe"),
    ...together(30, 30, "CreateTopic", "DeleteTopic", "GetTopicAttributes", "SetTopicAttributes"),
  ],
  secretsmanager: [
    ...each(50, "CreateSecret", "DeleteSecret", "RestoreSecret"),
    ...together(50, 50, "PutSecretValue", "UpdateSecret", "UpdateSecretVersionStage"),
    ...together(50, 50, "TagResource", "UntagResource"),
    ...together(50, 50, "DeleteResourcePolicy", "GetResourcePolicy", "PutResourcePolicy"),
    ...together(50, 50, "RotateSecret", "CancelRotateSecret"),
    ...each(100, "ListSecrets"),
  ],
  iam: [{ capacity: 50, refill: 15 }],
  ecr: [{ capacity: 50, refill: 20 }],
};
