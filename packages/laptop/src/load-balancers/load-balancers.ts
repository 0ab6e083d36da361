import type { Aws } from "@gatewright/aws";
import type { core } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import type {
  Gateway,
  GatewayClass,
  GRPCRoute,
  HTTPRoute,
  ListenerRuleConfiguration,
  LoadBalancerConfiguration,
  TargetGroupConfiguration,
} from "@gatewright/resources";
import type { ControllerDefinition } from "@gatewright/runtime";
import { Deployer } from "./deployer.ts";
import { gatewayClasses } from "./gateway-classes.ts";
import { gateways } from "./gateways.ts";
import {
  listenerRuleConfigurations,
  loadBalancerConfigurations,
  targetGroupConfigurations,
} from "./held-while-used.ts";
import { grpcRoutes, httpRoutes } from "./routes.ts";
import { TargetBook } from "./targets/target-book.ts";
import { targetGroups } from "./targets/target-groups.ts";
import { TargetRegister } from "./targets/target-register.ts";

export interface LoadBalancersOptions {
  readonly aws: Aws;
  readonly clock: Clock;
  /** What everything in AWS is tagged with. Two clusters in one account have two names. Default: `laptop`. */
  readonly cluster?: string;
  /** For Services without a TargetGroupConfiguration. Default: `instance`, as upstream; it needs node ports. */
  readonly defaultTargetType?: "instance" | "ip";
  /** How long until a load balancer that is being made is looked at again. Default: 2 minutes, as upstream. */
  readonly provisioningMs?: number;
  /** How long until a Gateway that AWS refused, or that lacks a certificate, is tried again. Default: 30 s. */
  readonly refusedMs?: number;
}

/** Controllers that play the AWS Load Balancer Controller for Gateway API. They belong together: run all of them in one process. */
export interface LoadBalancers {
  readonly gatewayClasses: ControllerDefinition<GatewayClass>;
  readonly gateways: ControllerDefinition<Gateway>;
  readonly targetGroups: ControllerDefinition<core.Service>;
  readonly httpRoutes: ControllerDefinition<HTTPRoute>;
  readonly grpcRoutes: ControllerDefinition<GRPCRoute>;
  readonly loadBalancerConfigurations: ControllerDefinition<LoadBalancerConfiguration>;
  readonly targetGroupConfigurations: ControllerDefinition<TargetGroupConfiguration>;
  readonly listenerRuleConfigurations: ControllerDefinition<ListenerRuleConfiguration>;
}

/** Makes the controllers. They share what they know of target groups, and nothing with other processes. */
export function loadBalancers(options: LoadBalancersOptions): LoadBalancers {
  const { aws, clock, cluster = "laptop", defaultTargetType = "instance" } = options;
  const { provisioningMs = 120_000, refusedMs = 30_000 } = options;
  const book = new TargetBook();
  const register = new TargetRegister(aws);
  const deployer = new Deployer({ aws, clock, cluster, book, register });
  return {
    gatewayClasses: gatewayClasses(),
    gateways: gateways({ deployer, cluster, defaultTargetType, provisioningMs, refusedMs }),
    targetGroups: targetGroups(book, register),
    httpRoutes: httpRoutes(),
    grpcRoutes: grpcRoutes(),
    loadBalancerConfigurations: loadBalancerConfigurations(),
    targetGroupConfigurations: targetGroupConfigurations(),
    listenerRuleConfigurations: listenerRuleConfigurations(),
  };
}
