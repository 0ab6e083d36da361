import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import {
  Gateway,
  GatewayClass,
  GRPCRoute,
  HTTPRoute,
  ListenerRuleConfiguration,
  LoadBalancerConfiguration,
  TargetGroupConfiguration,
} from "@gatewright/resources";
import { done, generationChanged, withFinalizer } from "@gatewright/runtime";
import type { ControllerDefinition, Watch } from "@gatewright/runtime";
import { Dependents } from "./cluster/dependents.ts";
import type { TrackedReads } from "./cluster/dependents.ts";
import { gatewayClassIndexes, gatewayIndexes, routeIndexes } from "./cluster/indexes.ts";
import { FINALIZERS } from "./controller-names.ts";

interface Holding<T extends ApiObject> {
  readonly name: string;
  readonly resource: Resource<T>;
  readonly finalizer: string;
  readonly watches: (dependents: Dependents) => readonly Watch[];
  readonly isUsed: (reads: TrackedReads, object: Immutable<T>) => boolean;
}

/** Settings cannot go while a Gateway or a class refers to them. */
export function loadBalancerConfigurations(): ControllerDefinition<LoadBalancerConfiguration> {
  return heldWhileUsed({
    name: "load-balancer-configurations",
    resource: LoadBalancerConfiguration,
    finalizer: FINALIZERS.loadBalancerConfiguration,
    watches: (dependents) => [
      dependents.watch(Gateway, { indexes: gatewayIndexes, when: generationChanged }),
      dependents.watch(GatewayClass, { indexes: gatewayClassIndexes, when: generationChanged }),
    ],
    isUsed: (reads, object) =>
      reads.byIndex(Gateway, "configuration", keyOf(object)).length > 0 ||
      reads.byIndex(GatewayClass, "configuration", keyOf(object)).length > 0,
  });
}

/** Settings cannot go while a route leads to their Service. */
export function targetGroupConfigurations(): ControllerDefinition<TargetGroupConfiguration> {
  return heldWhileUsed({
    name: "target-group-configurations",
    resource: TargetGroupConfiguration,
    finalizer: FINALIZERS.targetGroupConfiguration,
    watches: routeWatches,
    isUsed: (reads, { metadata, spec }) =>
      spec?.targetReference !== undefined &&
      routesUse(reads, "backends", { namespace: metadata.namespace ?? "", name: spec.targetReference.name }),
  });
}

/** Settings cannot go while a route refers to them. */
export function listenerRuleConfigurations(): ControllerDefinition<ListenerRuleConfiguration> {
  return heldWhileUsed({
    name: "listener-rule-configurations",
    resource: ListenerRuleConfiguration,
    finalizer: FINALIZERS.listenerRuleConfiguration,
    watches: routeWatches,
    isUsed: (reads, { metadata }) =>
      routesUse(reads, "extensions", { namespace: metadata.namespace ?? "", name: metadata.name ?? "" }),
  });
}

function routeWatches(dependents: Dependents): readonly Watch[] {
  return [
    dependents.watch(HTTPRoute, { indexes: routeIndexes, when: generationChanged }),
    dependents.watch(GRPCRoute, { indexes: routeIndexes, when: generationChanged }),
  ];
}

function routesUse(reads: TrackedReads, index: "backends" | "extensions", ref: ObjectRef): boolean {
  const http = reads.byIndex(HTTPRoute, index, keyOf(ref)).length > 0;
  return reads.byIndex(GRPCRoute, index, keyOf(ref)).length > 0 || http;
}

/** Puts a finalizer on every object, and takes it off deleted ones when nobody refers to them any more. */
function heldWhileUsed<T extends ApiObject>(holding: Holding<T>): ControllerDefinition<T> {
  const { name, resource, finalizer, watches, isUsed } = holding;
  const dependents = new Dependents();
  return {
    name,
    for: resource,
    watches: watches(dependents),
    access: [{ resource, verbs: ["patch"] }],
    async reconcile(context) {
      const { key, object, client, ref, signal, cached } = context;
      const reads = dependents.reads(key, cached);
      if (object === undefined || (object.metadata.deletionTimestamp !== undefined && isUsed(reads, object))) {
        return done();
      }
      return withFinalizer(
        { object, client, ref, signal },
        { resource, finalizer, reconcile: async () => done(), cleanup: async () => done() },
      );
    },
  };
}
