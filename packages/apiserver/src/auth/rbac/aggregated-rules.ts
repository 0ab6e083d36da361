import { deepEqual, isObject, selectorFromObject } from "@gatewright/kube";
import type { KubeObject, PolicyRule } from "@gatewright/kube";
import { rulesOf } from "./rbac-object.ts";

/**
 * The rules that an aggregated ClusterRole should have: those of all roles that its selectors choose, in the order of
 * selectors and names, each once. Undefined for a role that does not aggregate. Throws SelectorError.
 */
export function aggregatedRules(role: KubeObject, all: Iterable<KubeObject>): PolicyRule[] | undefined {
  const aggregation = role["aggregationRule"];
  if (!isObject(aggregation)) return undefined;
  const selectors = Array.isArray(aggregation["clusterRoleSelectors"]) ? aggregation["clusterRoleSelectors"] : [];
  const others = [...all]
    .filter((other) => other.metadata.name !== role.metadata.name)
    .sort((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  const rules: PolicyRule[] = [];
  for (const value of selectors) {
    const selector = selectorFromObject(value);
    for (const other of others) {
      if (!selector.matches(other.metadata.labels)) continue;
      for (const rule of rulesOf(other)) if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
