import type { Resource } from "@gatewright/kube";
import { ListenerRuleConfiguration, LoadBalancerConfiguration, TargetGroupConfiguration } from "@gatewright/resources";

/** What the cluster's AWS Load Balancer Controller speaks. */
export interface GatewayAws {
  /** The version of its kinds that is served: `v1` since 3.5, `v1beta1` before. */
  readonly version: "v1" | "v1beta1";
  /** Whether LoadBalancerConfigurations know `defaultTargetGroupConfiguration`. */
  readonly defaultTargetGroups: boolean;
}

export const NEWEST_GATEWAY_AWS: GatewayAws = { version: "v1", defaultTargetGroups: true };

/** The kinds of the AWS Load Balancer Controller in the version that is served. */
export interface GatewayAwsKinds {
  readonly loadBalancerConfiguration: Resource<LoadBalancerConfiguration>;
  readonly listenerRuleConfiguration: Resource<ListenerRuleConfiguration>;
  readonly targetGroupConfiguration: Resource<TargetGroupConfiguration>;
}

/** All who read them through a cache must ask for the same version. */
export function gatewayAwsKinds({ version }: Pick<GatewayAws, "version">): GatewayAwsKinds {
  return {
    loadBalancerConfiguration: { ...LoadBalancerConfiguration, version },
    listenerRuleConfiguration: { ...ListenerRuleConfiguration, version },
    targetGroupConfiguration: { ...TargetGroupConfiguration, version },
  };
}
