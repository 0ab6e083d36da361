import type { Immutable } from "@gatewright/kube";
import type {
  Gateway,
  GatewayClass,
  ListenerSet,
  ReferenceGrant,
  TargetGroupConfiguration,
} from "@gatewright/resources";
import { GATEWAY_API, GATEWAY_AWS } from "../controller-names.ts";

/**
 * How objects are found by what they refer to. Values are `namespace/name`; those of parents have the kind in front. Informers are
 * shared, so each index is one function for all who use it.
 */
interface Route {
  readonly metadata: { readonly namespace?: string };
  readonly spec: {
    readonly parentRefs?: readonly (Named & { readonly group: string; readonly kind: string })[];
    readonly rules?: readonly {
      readonly backendRefs?: readonly Named[];
      readonly filters?: readonly { readonly extensionRef?: Named }[];
    }[];
  };
}
type Named = { readonly namespace?: string; readonly name: string };
type Parameters = { readonly group: string; readonly kind: string; readonly name: string } | undefined;

export const routeIndexes = {
  parents: ({ metadata, spec }: Route): readonly string[] =>
    (spec.parentRefs ?? [])
      .filter(({ group }) => group === GATEWAY_API)
      .map(({ kind, namespace, name }) => `${kind}/${namespace ?? metadata.namespace}/${name}`),
  backends: ({ metadata, spec }: Route): readonly string[] =>
    (spec.rules ?? [])
      .flatMap(({ backendRefs }) => backendRefs ?? [])
      .map(({ namespace, name }) => `${namespace ?? metadata.namespace}/${name}`),
  extensions: ({ metadata, spec }: Route): readonly string[] =>
    (spec.rules ?? [])
      .flatMap(({ filters }) => filters ?? [])
      .flatMap(({ extensionRef }) =>
        extensionRef === undefined ? [] : [`${metadata.namespace}/${extensionRef.name}`],
      ),
};

export const listenerSetIndexes = {
  gateway: ({ metadata, spec }: Immutable<ListenerSet>): readonly string[] => [
    `${spec.parentRef.namespace ?? metadata.namespace}/${spec.parentRef.name}`,
  ],
};

export const grantIndexes = {
  namespace: ({ metadata }: Immutable<ReferenceGrant>): readonly string[] => [metadata.namespace ?? ""],
};

export const targetGroupConfigurationIndexes = {
  service: ({ metadata, spec }: Immutable<TargetGroupConfiguration>): readonly string[] =>
    spec?.targetReference?.kind === "Service" ? [`${metadata.namespace}/${spec.targetReference.name}`] : [],
};

export const gatewayIndexes = {
  class: ({ spec }: Immutable<Gateway>): readonly string[] => [spec.gatewayClassName],
  configuration: ({ metadata, spec }: Immutable<Gateway>): readonly string[] =>
    configurationKey(spec.infrastructure?.parametersRef, metadata.namespace),
};

export const gatewayClassIndexes = {
  configuration: ({ spec }: Immutable<GatewayClass>): readonly string[] =>
    configurationKey(spec.parametersRef, spec.parametersRef?.namespace),
};

function configurationKey(ref: Parameters, namespace: string | undefined): readonly string[] {
  return ref?.group === GATEWAY_AWS ? [`${namespace}/${ref.name}`] : [];
}
