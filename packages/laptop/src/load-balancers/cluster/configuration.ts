import type { Immutable } from "@gatewright/kube";
import type { Gateway, GatewayClass, LoadBalancerConfiguration } from "@gatewright/resources";
import { GATEWAY_AWS } from "../controller-names.ts";
import type { ClusterView } from "./cluster-view.ts";

export type LoadBalancerSettings = NonNullable<Immutable<LoadBalancerConfiguration>["spec"]>;
type Keyed = { readonly key: string; readonly value: string };

/** What a Gateway's load balancer is to be like, and whose words that is. */
export interface Configuration {
  readonly settings: LoadBalancerSettings;
  readonly ofGateway: Immutable<LoadBalancerConfiguration> | undefined;
  readonly ofClass: Immutable<LoadBalancerConfiguration> | undefined;
}

/** A Gateway, or its class, refers to settings that are not there, or not of the right kind. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigurationError";
  }
}

/** The settings of a Gateway merged with those of its class. Throws {@link ConfigurationError} when either are missing. */
export function configurationOf(
  view: ClusterView,
  gateway: Immutable<Gateway>,
  gatewayClass: Immutable<GatewayClass>,
): Configuration {
  const ofGateway = referred(view, gateway.spec.infrastructure?.parametersRef, gateway.metadata.namespace);
  const classRef = gatewayClass.spec.parametersRef;
  const ofClass = referred(view, classRef, classRef?.namespace);
  return { settings: merged(ofGateway?.spec ?? {}, ofClass?.spec ?? {}), ofGateway, ofClass };
}

/** Whole fields by who is preferred; lists that have keys by key, where a whole entry wins. */
export function merged(ofGateway: LoadBalancerSettings, ofClass: LoadBalancerSettings): LoadBalancerSettings {
  const [first, second] = ofClass.mergingMode === "prefer-gateway" ? [ofGateway, ofClass] : [ofClass, ofGateway];
  const listeners = byKey(first.listenerConfigurations, second.listenerConfigurations, (each) => each.protocolPort);
  const attributes = byKey<Keyed>(first.loadBalancerAttributes, second.loadBalancerAttributes, ({ key }) => key);
  const tags = { ...second.tags, ...first.tags };
  return {
    ...second,
    ...first,
    ...(listeners.length > 0 && { listenerConfigurations: listeners }),
    ...(attributes.length > 0 && { loadBalancerAttributes: attributes }),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}

function byKey<T>(
  first: readonly T[] | undefined,
  second: readonly T[] | undefined,
  key: (each: T) => string,
): readonly T[] {
  const all = new Map<string, T>();
  for (const each of [...(second ?? []), ...(first ?? [])]) all.set(key(each), each);
  return [...all.values()];
}

function referred(
  view: ClusterView,
  ref: { readonly group: string; readonly kind: string; readonly name: string } | undefined,
  namespace: string | undefined,
): Immutable<LoadBalancerConfiguration> | undefined {
  if (ref === undefined) return undefined;
  if (ref.group !== GATEWAY_AWS || ref.kind !== "LoadBalancerConfiguration") {
    throw new ConfigurationError(`parametersRef names a ${ref.kind} of ${ref.group}, not a LoadBalancerConfiguration`);
  }
  if (namespace === undefined) throw new ConfigurationError("parametersRef of a class needs a namespace");
  const found = view.loadBalancerConfiguration({ namespace, name: ref.name });
  if (found === undefined) {
    throw new ConfigurationError(`LoadBalancerConfiguration ${namespace}/${ref.name} does not exist`);
  }
  return found;
}
