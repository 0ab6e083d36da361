/** What classes name to have their Gateways looked after here. */
export const CONTROLLER_NAME = "gateway.k8s.aws/alb";

export const GATEWAY_API = "gateway.networking.k8s.io";
export const GATEWAY_AWS = "gateway.k8s.aws";

/** What holds objects until AWS has nothing left of them, or nobody refers to them. */
export const FINALIZERS = {
  gateway: "gateway.k8s.aws/alb",
  gatewayClass: "gateway.k8s.aws/gatewayclass",
  loadBalancerConfiguration: "gateway.k8s.aws/loadbalancerconfigurations",
  targetGroupConfiguration: "gateway.k8s.aws/targetgroupconfigurations",
  listenerRuleConfiguration: "gateway.k8s.aws/listenerruleconfigurations",
} as const;
