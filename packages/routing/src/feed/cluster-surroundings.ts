import type { ApiObject, Immutable, Json } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import { Backend, GRPCBackend, GraphQLBackend } from "@gatewright/resources";
import type { Cache, Informer } from "@gatewright/runtime";
import type { FeedSettings } from "./feed-settings.ts";
import type { FetchedContents } from "./fetched-contents.ts";
import type { KnownGrants } from "./known-grants.ts";
import type { BackendKind, Dependency, Surroundings } from "./surroundings.ts";
import { atAddress, dependencyOn } from "./surroundings.ts";
import { onlyAddress } from "./resolve/steady-address.ts";

const BY_SERVICE = "routing/service";
const BY_ADDRESS = "routing/only-host";
const SERVICE_LABEL = "kubernetes.io/service-name";

/** What is watched for it, beside the kinds that are delivered. */
export const SURROUNDING_KINDS = [{ resource: core.Service }, { resource: discovery.EndpointSlice }] as const;

/** What is around objects, as the cache has it, and how to hear of changes. */
export interface ClusterSurroundings extends Surroundings {
  whenSynced(signal: AbortSignal): Promise<void>;
  subscribe(changed: (dependency: Dependency) => void): () => void;
}

export function clusterSurroundings(
  cache: Cache,
  contents: Pick<FetchedContents, "get">,
  grants: Pick<KnownGrants, "of">,
  { clusterDomain }: Pick<FeedSettings, "clusterDomain">,
): ClusterSurroundings {
  const services = cache.informer(core.Service);
  const slices = cache.informer(discovery.EndpointSlice);
  slices.addIndex(BY_SERVICE, (slice) => [serviceOf(slice)]);
  const backends: Readonly<Record<BackendKind, Informer<ApiObject>>> = {
    Backend: cache.informer(Backend),
    GRPCBackend: cache.informer(GRPCBackend),
    GraphQLBackend: cache.informer(GraphQLBackend),
  };
  for (const informer of Object.values(backends)) {
    informer.addIndex(BY_ADDRESS, (object) => {
      const address = addressOf(object, clusterDomain);
      return address === undefined ? [] : [`${object.metadata.namespace ?? ""} ${address}`];
    });
  }
  return {
    contents: (kind, namespace, name) => contents.get(kind, namespace, name),
    service: (namespace, name) => services.get({ namespace, name }),
    slices: (namespace, name) => slices.byIndex(BY_SERVICE, `${namespace}/${name}`),
    hasBackend: (kind, namespace, name) => isThere(backends[kind].get({ namespace, name })),
    backendAt: (kind, namespace, address) =>
      backends[kind].byIndex(BY_ADDRESS, `${namespace} ${address}`).find(isThere)?.metadata.name,
    grants: (namespace) => grants.of(namespace),
    async whenSynced(signal) {
      await Promise.all([services.whenSynced(signal), slices.whenSynced(signal)]);
    },
    subscribe(changed) {
      const stops = [
        services.subscribe(({ object }) => {
          const { namespace = "", name = "" } = object.metadata;
          changed(dependencyOn("Service", namespace, name));
        }),
        slices.subscribe((change) => {
          for (const slice of change.type === "updated" ? [change.object, change.previous] : [change.object]) {
            changed(`EndpointSlice ${serviceOf(slice)}`);
          }
        }),
        ...Object.entries(backends).map(([kind, informer]) =>
          informer.subscribe((change) => {
            const before = change.type === "updated" ? change.previous : undefined;
            for (const dependency of namesOf(kind as BackendKind, change.object, before, clusterDomain))
              changed(dependency);
          }),
        ),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** By what a backend is found, as far as that has changed. */
function namesOf(
  kind: BackendKind,
  now: Immutable<ApiObject>,
  before: Immutable<ApiObject> | undefined,
  clusterDomain: string,
): readonly Dependency[] {
  const { namespace = "", name = "", deletionTimestamp } = now.metadata;
  const addresses = new Set([addressOf(now, clusterDomain), before && addressOf(before, clusterDomain)]);
  const isSteady = before !== undefined && before.metadata.deletionTimestamp === deletionTimestamp;
  if (isSteady && addresses.size === 1) return [];
  const found = [...addresses].flatMap((address) => (address === undefined ? [] : [atAddress(address)]));
  return (isSteady ? found : [name, ...found]).map((one) => dependencyOn(kind, namespace, one));
}

function addressOf(object: Immutable<ApiObject>, clusterDomain: string): string | undefined {
  const { spec } = object as unknown as { readonly spec?: Json };
  return onlyAddress(spec, object.metadata.namespace ?? "", clusterDomain);
}

function serviceOf({ metadata }: Immutable<discovery.EndpointSlice>): string {
  return `${metadata.namespace ?? ""}/${metadata.labels?.[SERVICE_LABEL] ?? ""}`;
}

function isThere(object: Immutable<ApiObject> | undefined): boolean {
  return object !== undefined && object.metadata.deletionTimestamp === undefined;
}
