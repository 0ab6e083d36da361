import type { ObjectRef } from "@gatewright/kube";
import type { elbv2 } from "@gatewright/aws";

export type Tags = Readonly<Record<string, string>>;
/** Settings by key, sorted. Those that are not named stay as they are. */
export type Attributes = readonly (readonly [key: string, value: string])[];

/** What AWS should have for a Gateway. Equal Gateways have equal models, whatever order the cluster told its objects in. */
export interface GatewayModel {
  /** `namespace/name` of the Gateway: what everything of it is tagged with. */
  readonly stack: string;
  readonly loadBalancer: LoadBalancerModel;
  /** By port. */
  readonly listeners: readonly ListenerModel[];
  /** By id. */
  readonly targetGroups: readonly TargetGroupModel[];
}

export interface LoadBalancerModel {
  readonly name: string;
  readonly scheme: "internal" | "internet-facing";
  readonly ipAddressType: string;
  /** Undefined: those that are found. */
  readonly subnets: readonly string[] | undefined;
  /** Undefined: the default one of the VPC. */
  readonly securityGroups: readonly string[] | undefined;
  readonly attributes: Attributes;
  readonly tags: Tags;
}

export interface ListenerModel {
  readonly port: number;
  readonly protocol: "HTTP" | "HTTPS";
  /** The default one first. */
  readonly certificates: readonly string[];
  readonly sslPolicy: string | undefined;
  readonly mutualAuthentication: { readonly Mode: string; readonly TrustStoreArn?: string } | undefined;
  readonly attributes: Attributes;
  /** In the order in which they are tried: the first has priority 1. */
  readonly rules: readonly RuleModel[];
  readonly tags: Tags;
}

export interface RuleModel {
  readonly conditions: readonly elbv2.RuleCondition[];
  readonly actions: readonly ActionModel[];
  readonly transforms: readonly elbv2.RuleTransform[];
  readonly tags: Tags;
}

/** What a rule does. Target groups are named by their ids: their ARNs are known when they are made. */
export type ActionModel =
  | {
      readonly kind: "forward";
      readonly groups: readonly { readonly id: string; readonly weight: number }[];
      readonly stickySeconds: number | undefined;
    }
  | { readonly kind: "other"; readonly action: elbv2.Action };

export interface TargetGroupModel {
  readonly id: string;
  readonly name: string;
  /** What cannot change is part of the name, so that a change makes a new group. */
  readonly settings: Omit<elbv2.CreateTargetGroupInput, "Name" | "Tags" | "VpcId">;
  readonly attributes: Attributes;
  readonly tags: Tags;
  readonly binding: TargetBinding;
}

/** Whose targets a group has. */
export interface TargetBinding {
  readonly service: ObjectRef & { readonly namespace: string };
  readonly port: number;
  readonly targetType: "instance" | "ip";
  /** Labels of nodes, as a selector of Kubernetes; undefined: all nodes. */
  readonly nodeSelector: unknown;
}

/** The cluster asks for something that cannot be made. The whole Gateway stays as it is until that changes. */
export class ModelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelError";
  }
}
