import { formatGroupResource, getPath, integerQuantity } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Cluster } from "../../cluster.ts";
import type { Resource } from "../../resources/resource.ts";
import { addAmounts, readAmounts } from "../pod-resources.ts";
import type { ResourceAmounts } from "../pod-resources.ts";
import { hasScopes, inScope } from "./quota-scopes.ts";
import { isPlainCount, sourceOf, usageOf } from "./quota-usage.ts";

/** What a quota allows. */
export function hardLimits(quota: KubeObject): ResourceAmounts {
  return readAmounts(getPath(quota, "spec", "hard"));
}

/** The names that a quota limits and that objects of this resource use up. */
export function limitedNames(
  quota: KubeObject,
  resource: { readonly group: string; readonly resource: string },
): string[] {
  return [...hardLimits(quota).keys()].filter((name) => {
    const source = sourceOf(name);
    return source?.group === resource.group && source.resource === resource.resource;
  });
}

/**
 * How much of what a quota limits is used up in its namespace, counted from the store. Names that no served resource uses
 * are left out.
 */
export function namespaceUsage(cluster: Cluster, quota: KubeObject, now: number): ResourceAmounts {
  const used: ResourceAmounts = new Map();
  const bySource = new Map<string, { resource: Resource; names: string[] }>();
  for (const name of hardLimits(quota).keys()) {
    const source = sourceOf(name);
    const resource = source && cluster.resources.get(source);
    if (!resource?.namespaced) continue;
    const key = formatGroupResource(resource);
    const group = bySource.get(key) ?? { resource, names: [] };
    group.names.push(name);
    bySource.set(key, group);
  }
  for (const { resource, names } of bySource.values()) addUsage(used, cluster, quota, resource, names, now);
  return used;
}

function addUsage(
  used: ResourceAmounts,
  cluster: Cluster,
  quota: KubeObject,
  resource: Resource,
  names: readonly string[],
  now: number,
): void {
  const { namespace = "" } = quota.metadata;
  const scoped = hasScopes(quota);
  if (!scoped && names.every(isPlainCount)) {
    const count = cluster.store
      .table(resource.table)
      .snapshot()
      .count({ prefix: `${namespace}/` });
    for (const name of names) used.set(name, integerQuantity(BigInt(count)));
    return;
  }
  for (const name of names) used.set(name, integerQuantity(0n));
  const isPods = resource.group === "" && resource.resource === "pods";
  if (scoped && !isPods) return;
  for (const object of cluster.list(resource, namespace)) {
    if (isPods && !inScope(quota, object)) continue;
    const usage = usageOf(resource, object, now);
    addAmounts(used, new Map([...usage].filter(([name]) => names.includes(name))));
  }
}
