import type { ResourceDefinition } from "@gatewright/kube/define";
import { Gateway } from "./gateway-api/gateway.ts";
import { GatewayClass } from "./gateway-api/gateway-class.ts";
import { GRPCRoute } from "./gateway-api/grpc-route.ts";
import { HTTPRoute } from "./gateway-api/http-route.ts";
import { ListenerSet } from "./gateway-api/listener-set.ts";
import { ReferenceGrant } from "./gateway-api/reference-grant.ts";
import { ListenerRuleConfiguration } from "./gateway-aws/listener-rule-configuration.ts";
import { LoadBalancerConfiguration } from "./gateway-aws/load-balancer-configuration.ts";
import { TargetGroupConfiguration } from "./gateway-aws/target-group-configuration.ts";

/**
 * Kinds of the Gateway API and of the AWS Load Balancer Controller that we use but do not own: in clusters they come with those
 * projects. Where nobody else brings them they can be installed from here, and upstream's manifests can be applied over them.
 */
export const gatewayResources: readonly ResourceDefinition[] = [
  GatewayClass,
  Gateway,
  ListenerSet,
  HTTPRoute,
  GRPCRoute,
  ReferenceGrant,
  LoadBalancerConfiguration,
  TargetGroupConfiguration,
  ListenerRuleConfiguration,
];
