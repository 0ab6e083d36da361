import type { GroupVersionKind, JsonObject } from "@gatewright/kube";
import type { ResourceRegistry } from "../resources/registry.ts";
import { discoverResources } from "./discovered-resource.ts";
import type { DiscoveredResource } from "./discovered-resource.ts";
import { orderedGroups } from "./group-order.ts";

/** The versions of the aggregated format that are spoken; the older one has the same body. */
export type AggregatedVersion = "v2" | "v2beta1";

/** `GET /api` (the core group) or `/apis` (all others) with everything that they lead to. */
export function aggregatedDocument(registry: ResourceRegistry, core: boolean, version: AggregatedVersion): JsonObject {
  const groups = orderedGroups(registry).filter(([group]) => (group === "") === core);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions.map((served) => ({
        version: served,
        resources: resourcesByName(registry, group, served).map(resourceEntry),
        freshness: "Current",
      })),
    })),
  };
}

function resourcesByName(registry: ResourceRegistry, group: string, version: string): DiscoveredResource[] {
  const name = (found: DiscoveredResource): string => found.resource.resource;
  return discoverResources(registry, group, version).sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

function resourceEntry(found: DiscoveredResource): JsonObject {
  const { resource, version, verbs, subresources } = found;
  const { group, kind, shortNames, categories } = resource;
  // Built-in kinds leave out a group and version that are the resource's own.
  const own = resource.custom ? { group, version, kind } : { group: "", version: "", kind };
  return {
    resource: resource.resource,
    responseKind: own,
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((sub) => ({
        subresource: sub.name,
        responseKind: sub.kind ? responseKind(sub.kind) : own,
        verbs: [...sub.verbs],
      })),
    }),
  };
}

function responseKind({ group, version, kind }: GroupVersionKind): JsonObject {
  return group === "" ? { group: "", version: "", kind } : { group, version, kind };
}
