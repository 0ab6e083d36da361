import type { elbv2 } from "@gatewright/aws";
import type { Tags } from "../model/model.ts";

/** What AWS has for a Gateway, found by tags. */
export interface AwsStack {
  readonly loadBalancers: readonly AwsLoadBalancer[];
  readonly targetGroups: readonly AwsTargetGroup[];
}

export interface AwsLoadBalancer {
  readonly arn: string;
  readonly shape: elbv2.LoadBalancer;
  readonly tags: Tags;
  readonly attributes: ReadonlyMap<string, string>;
  readonly listeners: readonly AwsListener[];
}

export interface AwsListener {
  readonly arn: string;
  readonly shape: elbv2.Listener;
  /** Besides the default one. */
  readonly extraCertificates: readonly string[];
  readonly attributes: ReadonlyMap<string, string>;
  /** Without the default one. */
  readonly rules: readonly AwsRule[];
}

export interface AwsRule {
  readonly arn: string;
  readonly priority: number;
  readonly shape: elbv2.Rule;
}

export interface AwsTargetGroup {
  readonly arn: string;
  readonly shape: elbv2.TargetGroup;
  readonly tags: Tags;
  readonly attributes: ReadonlyMap<string, string>;
}
