import type { ServiceName } from "@gatewright/aws-wire";
import type { BucketSize } from "./token-bucket.ts";

/** One bucket of a service, and the operations that take from it. */
export interface BucketRule extends BucketSize {
  /** Unique in its service. */
  readonly name: string;
  /** `all`, `rest` for those that no other bucket names, or words that names begin with. */
  readonly operations: "all" | "rest" | readonly string[];
  /** Each of the operations has such a bucket to itself. */
  readonly apart?: true;
  /** Only calls that name nothing to look for take from it, and they take from no other. */
  readonly only?: "unfiltered";
  /** What a call takes; a token, unless something of its input counts. */
  readonly cost?: "record changes" | "instances";
}

export interface ServiceLimits {
  /** Whether each region of an account has buckets of its own. */
  readonly regional: boolean;
  readonly buckets: readonly BucketRule[];
}

/** The rates of services; one that is not named has none. */
export type LimitTable = Readonly<Partial<Record<ServiceName, ServiceLimits>>>;

const each = (capacity: number, refill: number, names: string): BucketRule[] =>
  names.split(" ").map((name) => ({ name, capacity, refill, operations: [name] }));
const instances = (refill: number, names: string): BucketRule[] =>
  names
    .split(" ")
    .map((name) => ({ name: `instances of ${name}`, capacity: 1000, refill, operations: [name], cost: "instances" }));
const words = (names: string): string[] => names.split(" ");
const perSecond = (rate: number, names: string): BucketRule[] => each(rate, rate, names);

/**
 * Rates after AWS. Those of ELBv2, ACM, Route 53, EC2 and Secrets Manager are published; bursts of ACM and Secrets Manager are not,
 * and are taken as one second's worth. Of ECR those of images and tokens are published. Its others, those of
 * DynamoDB's items, and those of IAM, RDS, SNS, SQS, S3, STS and tagging are estimates that were not checked: they stop a runaway loop, and prove no figure.
 * Which bucket DeleteLoadBalancer takes from is an estimate too, and that ids count as a filter in EC2.
 */
export const AWS_LIMITS: LimitTable = {
  elbv2: {
    regional: true,
    buckets: [
      { name: "all", capacity: 40, refill: 10, operations: "all" },
      { name: "registration", capacity: 20, refill: 4, operations: ["RegisterTargets", "DeregisterTargets"] },
      {
        name: "resource-intensive",
        capacity: 10,
        refill: 0.2,
        operations: ["CreateLoadBalancer", "DeleteLoadBalancer", "SetSubnets"],
      },
      {
        name: "mutating",
        capacity: 20,
        refill: 3,
        operations: [
          ..."AddListenerCertificates AddTags CreateListener CreateRule CreateTargetGroup DeleteListener DeleteRule".split(
            " ",
          ),
          ..."DeleteTargetGroup Modify RemoveListenerCertificates RemoveTags SetIpAddressType SetRulePriorities".split(
            " ",
          ),
          "SetSecurityGroups",
        ],
      },
      { name: "non-mutating", capacity: 40, refill: 10, operations: "rest" },
    ],
  },
  acm: {
    regional: true,
    buckets: [
      ...perSecond(10, "DescribeCertificate DeleteCertificate GetCertificate ExportCertificate ListTagsForCertificate"),
      ...perSecond(8, "ListCertificates"),
      ...perSecond(5, "RequestCertificate SearchCertificates AddTagsToCertificate RemoveTagsFromCertificate"),
      ...perSecond(5, "TagResource UntagResource RenewCertificate UpdateCertificateOptions"),
      ...perSecond(1, "ImportCertificate"),
      { name: "rest", capacity: 5, refill: 5, operations: "rest" },
    ],
  },
  route53: {
    regional: false,
    buckets: [
      { name: "all", capacity: 50, refill: 10, operations: "all" },
      ...each(40, 2, "CreateHostedZone"),
      ...each(40, 5, "DeleteHostedZone"),
      ...each(20, 5, "AssociateVPCWithHostedZone"),
      ...each(10, 5, "DisassociateVPCFromHostedZone"),
      {
        name: "changes",
        capacity: 1500,
        refill: 100,
        operations: ["ChangeResourceRecordSets"],
        cost: "record changes",
      },
    ],
  },
  ec2: {
    regional: true,
    buckets: [
      {
        name: "unfiltered",
        capacity: 50,
        refill: 10,
        apart: true,
        only: "unfiltered",
        operations: ["DescribeInstances", "DescribeInstanceStatus", "DescribeSecurityGroups", "DescribeVolumes"],
      },
      { name: "non-mutating", capacity: 100, refill: 20, apart: true, operations: ["Describe"] },
      ...each(5, 2, "RunInstances StartInstances"),
      ...each(50, 5, "StopInstances"),
      ...each(100, 5, "TerminateInstances AssociateIamInstanceProfile DisassociateIamInstanceProfile"),
      ...each(100, 5, "ModifyInstanceMetadataOptions"),
      ...each(100, 10, "CreateTags DeleteTags"),
      ...instances(2, "RunInstances StartInstances"),
      ...instances(20, "StopInstances TerminateInstances"),
      { name: "mutating", capacity: 50, refill: 5, apart: true, operations: "rest" },
    ],
  },
  rds: {
    regional: true,
    buckets: [
      { name: "describe", capacity: 100, refill: 20, operations: ["Describe", "List"] },
      { name: "mutating", capacity: 50, refill: 5, operations: "rest" },
    ],
  },
  iam: {
    regional: false,
    buckets: [
      { name: "reading", capacity: 100, refill: 20, operations: ["Get", "List"] },
      { name: "writing", capacity: 50, refill: 10, operations: "rest" },
    ],
  },
  ecr: {
    regional: true,
    buckets: [
      ...perSecond(2_000, "BatchGetImage"),
      ...perSecond(500, "GetAuthorizationToken"),
      ...perSecond(10, "PutImage"),
      {
        name: "reading",
        capacity: 100,
        refill: 20,
        operations: words("Describe List GetLifecyclePolicy GetRepositoryPolicy"),
      },
      { name: "writing", capacity: 50, refill: 10, operations: "rest" },
    ],
  },
  secretsmanager: {
    regional: true,
    buckets: [
      { name: "reading", capacity: 10_000, refill: 10_000, operations: ["DescribeSecret", "GetSecretValue"] },
      {
        name: "policies",
        capacity: 50,
        refill: 50,
        operations: words("DeleteResourcePolicy GetResourcePolicy PutResourcePolicy"),
      },
      {
        name: "writing",
        capacity: 50,
        refill: 50,
        operations: words("PutSecretValue UpdateSecret UpdateSecretVersionStage"),
      },
      { name: "rotation", capacity: 50, refill: 50, operations: ["RotateSecret", "CancelRotateSecret"] },
      { name: "tags", capacity: 50, refill: 50, operations: ["TagResource", "UntagResource"] },
      ...perSecond(100, "BatchGetSecretValue ListSecrets"),
      ...perSecond(50, "CreateSecret DeleteSecret RestoreSecret GetRandomPassword ListSecretVersionIds"),
    ],
  },
  sqs: { regional: true, buckets: [{ name: "all", capacity: 3000, refill: 3000, operations: "all" }] },
  sns: {
    regional: true,
    buckets: [
      ...perSecond(30, "CreateTopic DeleteTopic ListTopics ListSubscriptions ListSubscriptionsByTopic"),
      ...perSecond(100, "Subscribe Unsubscribe"),
      ...perSecond(10, "TagResource UntagResource ListTagsForResource"),
      { name: "publishing", capacity: 9000, refill: 9000, operations: ["Publish", "PublishBatch"] },
      { name: "rest", capacity: 30, refill: 30, operations: "rest" },
    ],
  },
  dynamodb: {
    regional: true,
    buckets: [
      {
        name: "control",
        capacity: 2500,
        refill: 2500,
        operations: [
          ..."CreateTable DeleteTable UpdateTable ListTables DescribeTable DescribeContinuousBackups".split(" "),
          ..."DescribeLimits DescribeTimeToLive UpdateContinuousBackups UpdateTimeToLive".split(" "),
        ],
      },
      { name: "tags", capacity: 5, refill: 5, apart: true, operations: ["TagResource", "UntagResource"] },
      ...perSecond(10, "ListTagsOfResource"),
      { name: "items", capacity: 40_000, refill: 40_000, operations: "rest" },
    ],
  },
  s3: {
    regional: true,
    buckets: [
      { name: "buckets", capacity: 100, refill: 10, operations: ["CreateBucket", "DeleteBucket", "ListBuckets"] },
      { name: "rest", capacity: 3500, refill: 3500, operations: "rest" },
    ],
  },
  sts: { regional: true, buckets: [{ name: "all", capacity: 600, refill: 600, operations: "all" }] },
  tagging: {
    regional: true,
    buckets: [...perSecond(15, "GetResources"), ...perSecond(5, "TagResources UntagResources GetTagKeys GetTagValues")],
  },
};
