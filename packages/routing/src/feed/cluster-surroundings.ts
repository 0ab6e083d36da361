import type { Immutable } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import { Backend, GRPCBackend, GraphQLBackend, ReferenceGrant } from "@gatewright/resources";
import type { Cache, CacheReader } from "@gatewright/runtime";
import type { ApiObject } from "@gatewright/kube";
import type { FetchedContents } from "./fetched-contents.ts";
import type { BackendKind, Dependency, Surroundings } from "./surroundings.ts";
import { dependencyOn } from "./surroundings.ts";

const BY_SERVICE = "routing/service";
const SERVICE_LABEL = "kubernetes.io/service-name";

/** What is around objects, as the cache has it, and how to hear of changes. */
export interface ClusterSurroundings extends Surroundings {
  whenSynced(signal: AbortSignal): Promise<void>;
  /** Whether it is known yet which references grants allow. A cluster without the Gateway API never says. */
  readonly grantsKnown: boolean;
  subscribe(changed: (dependency: Dependency) => void): () => void;
}

export function clusterSurroundings(
  cache: Cache,
  contents: Pick<FetchedContents, "get">,
  crossNamespace: "grant" | "allow",
): ClusterSurroundings {
  const services = cache.informer(core.Service);
  const slices = cache.informer(discovery.EndpointSlice);
  slices.addIndex(BY_SERVICE, (slice) => [serviceOf(slice)]);
  const backends: Readonly<Record<BackendKind, CacheReader<ApiObject>>> = {
    Backend: cache.informer(Backend),
    GRPCBackend: cache.informer(GRPCBackend),
    GraphQLBackend: cache.informer(GraphQLBackend),
  };
  const grants = crossNamespace === "allow" ? undefined : cache.informer(ReferenceGrant);
  return {
    contents: (kind, namespace, name) => contents.get(kind, namespace, name),
    service: (namespace, name) => services.get({ namespace, name }),
    slices: (namespace, name) => slices.byIndex(BY_SERVICE, `${namespace}/${name}`),
    hasBackend: (kind, namespace, name) => isThere(backends[kind].get({ namespace, name })),
    grants: (namespace) => (grants?.synced === true ? grants.list({ namespace }) : undefined),
    get grantsKnown() {
      return grants?.synced !== false;
    },
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
        grants?.subscribe(({ object }) => changed(dependencyOn("ReferenceGrant", object.metadata.namespace ?? ""))),
      ];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
  };
}

function serviceOf({ metadata }: Immutable<discovery.EndpointSlice>): string {
  return `${metadata.namespace ?? ""}/${metadata.labels?.[SERVICE_LABEL] ?? ""}`;
}

function isThere(object: Immutable<ApiObject> | undefined): boolean {
  return object !== undefined && object.metadata.deletionTimestamp === undefined;
}
