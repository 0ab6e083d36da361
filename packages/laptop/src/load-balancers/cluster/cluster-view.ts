import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type {
  Gateway,
  GatewayClass,
  ListenerRuleConfiguration,
  ListenerSet,
  LoadBalancerConfiguration,
  ReferenceGrant,
  TargetGroupConfiguration,
} from "@gatewright/resources";
import type { RouteView } from "./route-view.ts";

/** What the cluster has, as one decision sees it: every question has one answer until the decision is made. */
export interface ClusterView {
  gateway(ref: ObjectRef): Immutable<Gateway> | undefined;
  gatewayClass(name: string): Immutable<GatewayClass> | undefined;
  listenerSet(ref: ObjectRef): Immutable<ListenerSet> | undefined;
  /** Those that want to add listeners to a Gateway, whether they may or not. */
  listenerSetsOf(gateway: ObjectRef): readonly Immutable<ListenerSet>[];
  /** Those that want to be attached to a parent, whether they may or not. */
  routesOf(parentKind: "Gateway" | "ListenerSet", parent: ObjectRef): readonly RouteView[];
  namespace(name: string): Immutable<core.Namespace> | undefined;
  service(ref: ObjectRef): Immutable<core.Service> | undefined;
  grantsIn(namespace: string): readonly Immutable<ReferenceGrant>[];
  loadBalancerConfiguration(ref: ObjectRef): Immutable<LoadBalancerConfiguration> | undefined;
  listenerRuleConfiguration(ref: ObjectRef): Immutable<ListenerRuleConfiguration> | undefined;
  targetGroupConfiguration(ref: ObjectRef): Immutable<TargetGroupConfiguration> | undefined;
  targetGroupConfigurationsOf(service: ObjectRef): readonly Immutable<TargetGroupConfiguration>[];
}
