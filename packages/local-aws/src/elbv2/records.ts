import type { Action, RuleCondition, TargetGroup } from "@gatewright/aws-wire/types/elbv2";

/** Attributes that were set; what is absent has its default. */
export type StoredAttributes = readonly (readonly [key: string, value: string])[];

export interface SubnetRecord {
  readonly id: string;
  readonly zone: string;
  readonly allocationId?: string;
  readonly privateAddress?: string;
}

export interface LoadBalancerRecord {
  readonly arn: string;
  readonly name: string;
  readonly type: "application" | "network";
  readonly scheme: "internet-facing" | "internal";
  readonly ipAddressType: string;
  readonly dnsName: string;
  readonly zoneId: string;
  readonly vpcId: string;
  readonly createdAt: number;
  /** From then on it is active; before, provisioning. */
  readonly activeAt: number;
  readonly subnets: readonly SubnetRecord[];
  readonly securityGroups: readonly string[];
  readonly attributes: StoredAttributes;
  /** Which of the machine's loopback addresses is its own: no two load balancers share a number. */
  readonly berth: number;
}

export interface ListenerRecord {
  readonly arn: string;
  readonly loadBalancer: string;
  readonly protocol: string;
  readonly port: number;
  readonly sslPolicy?: string;
  /** The default certificate. */
  readonly certificate?: string;
  /** Those that SNI selects, in the order in which they were added. */
  readonly extraCertificates: readonly string[];
  readonly alpnPolicy?: string;
  readonly mutualAuthentication?: { readonly mode: string };
  readonly attributes: StoredAttributes;
}

export interface RuleRecord {
  readonly arn: string;
  readonly listener: string;
  /** 1 to 50,000; the default rule has none and is the last. */
  readonly priority: number | "default";
  readonly conditions: readonly RuleCondition[];
  readonly actions: readonly Action[];
}

/** Health check settings and protocols under the names of the wire. */
export type TargetGroupSettings = Omit<TargetGroup, "TargetGroupArn" | "TargetGroupName" | "LoadBalancerArns">;

export interface TargetGroupRecord {
  readonly arn: string;
  readonly name: string;
  readonly settings: TargetGroupSettings;
  readonly attributes: StoredAttributes;
}

export interface TargetRecord {
  readonly group: string;
  readonly id: string;
  /** Absent for functions. */
  readonly port?: number;
  readonly zone?: string;
  readonly registeredAt: number;
  /** Set when it was deregistered: until then it drains, afterwards it is gone. */
  readonly drainedAt?: number;
}

export type Tags = readonly (readonly [key: string, value: string])[];
