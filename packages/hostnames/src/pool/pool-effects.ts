import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { Gateway, HTTPRoute, ListenerSet } from "@gatewright/resources";
import type { Applied, CacheReader } from "@gatewright/runtime";
import type { GatewayDesign } from "./design.ts";
import { GATEWAY_LABEL } from "./pool-names.ts";
import type { GatewayAwsKinds } from "./pool-kinds.ts";

/** Something to do to the objects of a Gateway. Each is safe to repeat. */
export type PoolEffect =
  | { readonly type: "apply"; readonly resource: Resource; readonly desired: Applied<ApiObject> }
  | { readonly type: "remove"; readonly resource: Resource; readonly object: Immutable<ApiObject> };

/** The objects that belong to a Gateway, as the cache has them. */
export interface GatewayBelongings {
  readonly routes: readonly Immutable<HTTPRoute>[];
  readonly listenerSets: readonly Immutable<ListenerSet>[];
  /** Of the AWS Load Balancer Controller's kinds, with the kind of each. */
  readonly settings: readonly { readonly resource: Resource; readonly object: Immutable<ApiObject> }[];
}

/** The index of what belongs to Gateways by their names. */
export const OF_GATEWAY = "pool-belongs-to";

export function gatewayNamed({ metadata }: Immutable<ApiObject>): readonly string[] {
  const name = metadata.labels?.[GATEWAY_LABEL];
  return name === undefined ? [] : [name];
}

/** Reads what belongs to a Gateway. `sets`: whether there are ListenerSets at all. */
export function belongingsOf(
  cached: <T extends ApiObject>(resource: Resource<T>) => CacheReader<T>,
  gateway: string,
  kinds: GatewayAwsKinds,
  sets: boolean,
): GatewayBelongings {
  const of = <T extends ApiObject>(resource: Resource<T>): readonly Immutable<T>[] =>
    cached(resource)
      .byIndex(OF_GATEWAY, gateway)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const settings = [kinds.loadBalancerConfiguration, kinds.listenerRuleConfiguration, kinds.targetGroupConfiguration];
  return {
    routes: of(HTTPRoute),
    listenerSets: sets ? of(ListenerSet) : [],
    settings: settings.flatMap((resource: Resource) => of(resource).map((object) => ({ resource, object }))),
  };
}

/**
 * What carries a design out, in order: what refers to something comes after it and goes before it, and what is there for HTTPS comes
 * after the certificates. A process that knows nothing of those yet believes the ones that are written, and would take the rest away.
 */
export function effectsOf(
  design: GatewayDesign,
  { routes, listenerSets, settings }: GatewayBelongings,
  kinds: GatewayAwsKinds,
): readonly PoolEffect[] {
  const wanted = new Set(
    [design.configuration, design.targets, design.fallback].map((each) => each?.metadata.name ?? ""),
  );
  return [
    ...unwanted(HTTPRoute, routes, design.routes),
    ...unwanted(ListenerSet, listenerSets, design.listenerSets),
    ...applied(kinds.targetGroupConfiguration, design.targets),
    ...applied(kinds.loadBalancerConfiguration, design.configuration),
    ...applied(kinds.listenerRuleConfiguration, design.fallback),
    ...applied(Gateway, design.gateway),
    ...design.listenerSets.flatMap((each) => applied(ListenerSet, each)),
    ...design.routes.flatMap((each) => applied(HTTPRoute, each)),
    ...settings
      .filter(({ object }) => !wanted.has(object.metadata.name ?? ""))
      .map((each) => ({ type: "remove", ...each }) as const),
  ];
}

/** Removes all that belongs to a Gateway that is gone. */
export function removalOf({ routes, listenerSets, settings }: GatewayBelongings): readonly PoolEffect[] {
  return [
    ...unwanted(HTTPRoute, routes, []),
    ...unwanted(ListenerSet, listenerSets, []),
    ...settings.map((each) => ({ type: "remove", ...each }) as const),
  ];
}

function applied<T extends ApiObject>(resource: Resource<T>, desired: Applied<T> | undefined): readonly PoolEffect[] {
  return desired === undefined ? [] : [{ type: "apply", resource, desired }];
}

function unwanted<T extends ApiObject>(
  resource: Resource<T>,
  present: readonly Immutable<T>[],
  wanted: readonly Applied<T>[],
): readonly PoolEffect[] {
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  return present
    .filter(({ metadata }) => !names.has(metadata.name ?? ""))
    .map((object) => ({ type: "remove", resource, object: object as unknown as Immutable<ApiObject> }));
}
