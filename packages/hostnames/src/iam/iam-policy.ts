import { CLUSTER_TAG } from "../settings.ts";

/** One permission of a policy, in AWS's own form. */
export interface IamStatement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface IamPolicy {
  readonly Version: "2012-10-17";
  readonly Statement: readonly IamStatement[];
}

export interface IamPolicyOptions {
  /** Default: `aws`; others are `aws-cn` and `aws-us-gov`. */
  readonly partition?: string;
  /** The name of this cluster, as in the settings: certificates of others cannot be deleted. */
  readonly cluster: string;
  /** Ids of the zones that hostnames may be in. Default: all of the account. */
  readonly zones?: readonly string[];
}

/**
 * All that the hostnames part asks of AWS, and nothing else. It creates and deletes records of three types, requests certificates that
 * carry its tags, and deletes none but those. Load balancers are only looked at: the AWS Load Balancer Controller makes them.
 */
export function iamPolicy({ partition = "aws", cluster, zones = ["*"] }: IamPolicyOptions): IamPolicy {
  const certificates = [`arn:${partition}:acm:*:*:certificate/*`];
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "ChangeRecords",
        Effect: "Allow",
        Action: ["route53:ChangeResourceRecordSets"],
        Resource: zones.map((zone) => `arn:${partition}:route53:::hostedzone/${zone}`),
        Condition: {
          "ForAllValues:StringEquals": {
            "route53:ChangeResourceRecordSetsActions": ["CREATE", "DELETE"],
            "route53:ChangeResourceRecordSetsRecordTypes": ["A", "AAAA", "CNAME"],
          },
        },
      },
      {
        Sid: "ReadZones",
        Effect: "Allow",
        Action: ["route53:GetHostedZone", "route53:ListResourceRecordSets"],
        Resource: zones.map((zone) => `arn:${partition}:route53:::hostedzone/${zone}`),
      },
      {
        Sid: "FollowChanges",
        Effect: "Allow",
        Action: ["route53:GetChange"],
        Resource: [`arn:${partition}:route53:::change/*`],
      },
      {
        Sid: "RequestCertificates",
        Effect: "Allow",
        Action: ["acm:RequestCertificate", "acm:AddTagsToCertificate"],
        Resource: ["*"],
        Condition: { StringEquals: { [`aws:RequestTag/${CLUSTER_TAG}`]: [cluster] } },
      },
      {
        Sid: "ReadCertificates",
        Effect: "Allow",
        Action: ["acm:DescribeCertificate", "acm:ListCertificates", "acm:ListTagsForCertificate", "tag:GetResources"],
        Resource: ["*"],
      },
      {
        Sid: "DeleteOwnCertificates",
        Effect: "Allow",
        Action: ["acm:DeleteCertificate"],
        Resource: certificates,
        Condition: { StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}`]: [cluster] } },
      },
      {
        Sid: "FindLoadBalancers",
        Effect: "Allow",
        Action: ["elasticloadbalancing:DescribeAccountLimits", "elasticloadbalancing:DescribeLoadBalancers"],
        Resource: ["*"],
      },
    ],
  };
}
