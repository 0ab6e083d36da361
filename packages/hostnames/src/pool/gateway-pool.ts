import { deepEqual } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, ObjectRef, Resource } from "@gatewright/kube";
import { DomainClaim, Gateway, HTTPRoute, ListenerSet } from "@gatewright/resources";
import { annotationsChanged, anyOf, generationChanged, labelsChanged, watching } from "@gatewright/runtime";
import type { Access, ControllerDefinition, Metrics, Watch } from "@gatewright/runtime";
import type { Claim } from "../claims/claim.ts";
import { HOSTNAME_METRICS } from "../metrics/hostname-metrics.ts";
import type { HostnameSettings } from "../settings.ts";
import type { CertificateState } from "./certificates-on.ts";
import { BY_GATEWAY, gatewaysOf, isToBeServed } from "./claim-view.ts";
import { gatewayNamed, OF_GATEWAY } from "./pool-effects.ts";
import { gatewayAwsKinds, NEWEST_GATEWAY_AWS } from "./pool-kinds.ts";
import type { GatewayAws } from "./pool-kinds.ts";
import { POOL_CONTROLLER, POOL_LABEL } from "./pool-names.ts";
import { PoolKeeper } from "./pool-keeper.ts";
import { PoolRuns } from "./pool-runs.ts";
import type { ZoneLookup } from "./zone-lookup.ts";

export interface GatewayPoolDependencies {
  /** What is known of certificates, and who is told of changes. */
  readonly certificates: {
    get(arn: string): CertificateState;
    onChange(listener: (arn: string) => void): void;
  };
  /** Asks for the hosted zone of a load balancer whose name does not tell. Without it such hostnames wait. */
  readonly zoneOf?: ZoneLookup;
  /** What the cluster's AWS Load Balancer Controller speaks. Default: its newest version. */
  readonly gatewayAws?: GatewayAws;
  /** Where runs are counted. Must be what the claims have. */
  readonly runs?: PoolRuns;
  readonly metrics?: Metrics;
}

/**
 * Keeps the Gateways of the pool, and all that belongs to them, as the claims that are placed there need them: made when the first
 * claim names one, written once for all that comes within the flush window, put right when others change them, and removed when they
 * have been empty for long enough, if that is asked for.
 */
export function gatewayPool(
  { certificates, zoneOf, gatewayAws = NEWEST_GATEWAY_AWS, runs = new PoolRuns(), metrics }: GatewayPoolDependencies,
  settings: HostnameSettings,
): ControllerDefinition<Gateway> {
  const namespace = settings.edgeNamespace;
  const kinds = gatewayAwsKinds(gatewayAws);
  const drift = metrics?.counter(HOSTNAME_METRICS.drift);
  const keeper = new PoolKeeper({
    certificates,
    gatewayAws,
    kinds,
    settings,
    zoneOf,
    drifted: () => drift?.inc(["gateway"]),
  });
  const own: readonly Resource[] = [
    HTTPRoute,
    ...(settings.listeners === "listener-sets" ? [ListenerSet] : []),
    kinds.loadBalancerConfiguration,
    kinds.listenerRuleConfiguration,
    kinds.targetGroupConfiguration,
  ];
  let wake: ((ref: ObjectRef) => void) | undefined;
  certificates.onChange((arn) => {
    for (const name of keeper.followersOf(arn)) wake?.({ namespace, name });
  });
  return {
    name: POOL_CONTROLLER,
    for: Gateway,
    scope: { namespace },
    when: anyOf<Gateway>(contentChanged, addressChanged),
    watches: [
      watching(DomainClaim, {
        map: (claim) => gatewaysOf(claim).map((name) => ({ namespace, name })),
        when: placementChanged,
        indexes: { [BY_GATEWAY]: gatewaysOf },
      }),
      ...own.map((resource) => belonging(resource, namespace)),
    ],
    sources: [
      (enqueue, signal) =>
        new Promise((resolve) => {
          keeper.begin();
          wake = enqueue;
          const end = (): void => {
            if (wake === enqueue) wake = undefined;
            resolve();
          };
          if (signal.aborted) end();
          else signal.addEventListener("abort", end, { once: true });
        }),
    ],
    access: [Gateway, ...own].map((resource): Access => ({
      resource,
      verbs: ["create", "patch", "delete"],
      namespace,
    })),
    concurrency: 4,
    reconcile: (context) => runs.during(() => keeper.keep(context)),
  };
}

function addressChanged(gateway: Immutable<Gateway> | undefined, previous: Immutable<Gateway> | undefined): boolean {
  return gateway?.status?.addresses?.[0]?.value !== previous?.status?.addresses?.[0]?.value;
}

const contentChanged = anyOf(generationChanged, labelsChanged, annotationsChanged);

function belonging(resource: Resource, namespace: string): Watch {
  return watching(resource, {
    map: (object: Immutable<ApiObject>) => gatewayNamed(object).map((name) => ({ namespace, name })),
    when: contentChanged,
    scope: { namespace, labelSelector: `${POOL_LABEL}=true` },
    indexes: { [OF_GATEWAY]: gatewayNamed },
  });
}

/** Claims write their status often; Gateways care for a few parts of it. */
function placementChanged(claim: Claim | undefined, previous: Claim | undefined): boolean {
  return (
    claim === undefined ||
    previous === undefined ||
    !deepEqual(placementOf(claim) as Json, placementOf(previous) as Json)
  );
}

function placementOf(claim: Claim): unknown {
  const { status, spec } = claim;
  const issued = status?.conditions?.find(({ type }) => type === "CertificateIssued")?.status;
  const { arn, adopted } = status?.certificate ?? {};
  return [gatewaysOf(claim), spec.wish ?? null, arn ?? null, adopted ?? null, issued ?? null, isToBeServed(claim)];
}
