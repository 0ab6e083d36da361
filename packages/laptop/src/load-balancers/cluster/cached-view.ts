import { keyOf } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import {
  Gateway,
  GatewayClass,
  GRPCRoute,
  HTTPRoute,
  ListenerRuleConfiguration,
  ListenerSet,
  LoadBalancerConfiguration,
  ReferenceGrant,
  TargetGroupConfiguration,
} from "@gatewright/resources";
import { generationChanged, labelsChanged } from "@gatewright/runtime";
import type { Watch } from "@gatewright/runtime";
import type { ClusterView } from "./cluster-view.ts";
import type { Dependents, TrackedReads } from "./dependents.ts";
import { gatewayIndexes, grantIndexes, listenerSetIndexes, routeIndexes } from "./indexes.ts";
import { targetGroupConfigurationIndexes } from "./indexes.ts";
import { grpcRouteView, httpRouteView } from "./route-view.ts";

/** Everything that a {@link cachedView} may look at, as watches of a controller. Writes of statuses wake nobody. */
export function watchesOfView(dependents: Dependents): readonly Watch[] {
  const when = generationChanged;
  return [
    dependents.watch(Gateway, { indexes: gatewayIndexes, when }),
    dependents.watch(GatewayClass, { when }),
    dependents.watch(ListenerSet, { indexes: listenerSetIndexes, when }),
    dependents.watch(HTTPRoute, { indexes: routeIndexes, when }),
    dependents.watch(GRPCRoute, { indexes: routeIndexes, when }),
    dependents.watch(ReferenceGrant, { indexes: grantIndexes, when }),
    dependents.watch(LoadBalancerConfiguration, { when }),
    dependents.watch(TargetGroupConfiguration, { indexes: targetGroupConfigurationIndexes, when }),
    dependents.watch(ListenerRuleConfiguration, { when }),
    dependents.watch(core.Namespace, { when: labelsChanged }),
    dependents.watch(core.Service),
  ];
}

/** The cluster as the cache has it. Who looks is woken when what was looked at changes, or appears. */
export function cachedView(reads: TrackedReads): ClusterView {
  return {
    gateway: (ref) => reads.get(Gateway, ref),
    gatewayClass: (name) => reads.get(GatewayClass, { name }),
    listenerSet: (ref) => reads.get(ListenerSet, ref),
    listenerSetsOf: (gateway) => reads.byIndex(ListenerSet, "gateway", keyOf(gateway)),
    routesOf(parentKind, parent) {
      const value = `${parentKind}/${keyOf(parent)}`;
      return [
        ...reads.byIndex(HTTPRoute, "parents", value).filter(stays).map(httpRouteView),
        ...reads.byIndex(GRPCRoute, "parents", value).filter(stays).map(grpcRouteView),
      ];
    },
    namespace: (name) => reads.get(core.Namespace, { name }),
    service: (ref) => reads.get(core.Service, ref),
    grantsIn: (namespace) => reads.byIndex(ReferenceGrant, "namespace", namespace),
    loadBalancerConfiguration: (ref) => reads.get(LoadBalancerConfiguration, ref),
    listenerRuleConfiguration: (ref) => reads.get(ListenerRuleConfiguration, ref),
    targetGroupConfiguration: (ref) => reads.get(TargetGroupConfiguration, ref),
    targetGroupConfigurationsOf: (service) => reads.byIndex(TargetGroupConfiguration, "service", keyOf(service)),
  };
}

/** A route that is being deleted takes no more requests. */
function stays({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string | null } }): boolean {
  return metadata.deletionTimestamp === undefined || metadata.deletionTimestamp === null;
}
