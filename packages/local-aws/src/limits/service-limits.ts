import type { ServiceName } from "@gatewright/aws-wire";
import type { BucketSize } from "./token-bucket.ts";

/** One bucket of a service, and the operations that take from it. */
export interface BucketRule extends BucketSize {
  /** Unique in its service. */
  readonly name: string;
  /** `all`, `rest` for those that no other bucket names, or words that names begin with. */
  readonly operations: "all" | "rest" | readonly string[];
  /** What a call takes; a token, unless something of its input counts. */
  readonly cost?: "record changes";
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
const perSecond = (rate: number, names: string): BucketRule[] => each(rate, rate, names);

/**
 * Rates after AWS. Those of ELBv2, ACM and Route 53 are published; bursts of ACM are not, and are taken as one second's worth.
 * Those of EC2, RDS, SQS, S3, STS and tagging are estimates that were not checked: they stop a runaway loop, and prove no figure.
 * Which bucket DeleteLoadBalancer takes from is an estimate too.
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
      { name: "instances", capacity: 1000, refill: 2, operations: ["RunInstances"] },
      {
        name: "power",
        capacity: 1000,
        refill: 20,
        operations: ["StartInstances", "StopInstances", "TerminateInstances"],
      },
      { name: "describe", capacity: 100, refill: 20, operations: ["Describe"] },
      { name: "mutating", capacity: 50, refill: 5, operations: "rest" },
    ],
  },
  rds: {
    regional: true,
    buckets: [
      { name: "describe", capacity: 100, refill: 20, operations: ["Describe", "List"] },
      { name: "mutating", capacity: 50, refill: 5, operations: "rest" },
    ],
  },
  sqs: { regional: true, buckets: [{ name: "all", capacity: 3000, refill: 3000, operations: "all" }] },
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
