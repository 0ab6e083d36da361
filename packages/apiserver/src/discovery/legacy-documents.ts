import { formatGroupVersion } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { ResourceRegistry } from "../resources/registry.ts";
import { discoverResources } from "./discovered-resource.ts";
import type { DiscoveredResource } from "./discovered-resource.ts";
import { orderedGroups } from "./group-order.ts";

/** `GET /api`. */
export function apiVersions(registry: ResourceRegistry, serverAddress: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: registry.groups().get("") ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** `GET /apis`. */
export function apiGroupList(registry: ResourceRegistry): JsonObject {
  const groups = orderedGroups(registry).filter(([group]) => group !== "");
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groups.map(([group, versions]) => describe(group, versions)),
  };
}

/** `GET /apis/{group}`, or undefined where the group is not served. */
export function apiGroup(registry: ResourceRegistry, group: string): JsonObject | undefined {
  const versions = registry.groups().get(group);
  return versions && { kind: "APIGroup", apiVersion: "v1", ...describe(group, versions) };
}

function describe(group: string, versions: readonly string[]): JsonObject {
  const described = versions.map((version) => ({ groupVersion: formatGroupVersion({ group, version }), version }));
  return { name: group, versions: described, preferredVersion: described[0]! };
}

/** `GET /api/v1` and `/apis/{group}/{version}`, or undefined where it is not served. */
export function apiResourceList(registry: ResourceRegistry, group: string, version: string): JsonObject | undefined {
  const found = discoverResources(registry, group, version);
  if (found.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    ...(group !== "" && { apiVersion: "v1" }), // the core group has none
    groupVersion: formatGroupVersion({ group, version }),
    resources: found.flatMap(resourceEntries),
  };
}

function resourceEntries({ resource, verbs, storageVersionHash, subresources }: DiscoveredResource): JsonObject[] {
  const { namespaced, kind, shortNames, categories } = resource;
  const main: JsonObject = {
    name: resource.resource,
    singularName: resource.singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
  };
  const others = subresources.map((sub): JsonObject => ({
    name: `${resource.resource}/${sub.name}`,
    singularName: "",
    namespaced,
    ...(sub.kind && sub.kind.group !== "" && { group: sub.kind.group, version: sub.kind.version }),
    kind: sub.kind?.kind ?? kind,
    verbs: [...sub.verbs],
  }));
  return [main, ...others];
}
