import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { containersOf } from "../pod-resources.ts";

/** Whether a pod is among those that the quota is about. A quota without scopes is about everything. */
export function inScope(quota: KubeObject, pod: KubeObject): boolean {
  return scopesOf(quota).every((scope) => scopeMatches(scope, pod));
}

/** A quota with scopes is about pods only. */
export function hasScopes(quota: KubeObject): boolean {
  return scopesOf(quota).length > 0;
}

function scopesOf(quota: KubeObject): JsonObject[] {
  const names = getPath(quota, "spec", "scopes");
  const selectors = getPath(quota, "spec", "scopeSelector", "matchExpressions");
  return [
    ...(Array.isArray(names) ? names : []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(Array.isArray(selectors) ? selectors : []).filter(isObject),
  ];
}

function scopeMatches({ scopeName, operator, values }: JsonObject, pod: KubeObject): boolean {
  switch (scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass":
      return priorityMatches(getPath(pod, "spec", "priorityClassName") || undefined, operator, values);
    case "CrossNamespacePodAffinity":
      return looksIntoOtherNamespaces(pod);
    default:
      return false;
  }
}

function priorityMatches(name: Json | undefined, operator: Json | undefined, values: Json | undefined): boolean {
  const listed = Array.isArray(values) && name !== undefined && values.includes(name);
  switch (operator) {
    case "In":
      return listed;
    case "NotIn":
      return !listed;
    case "DoesNotExist":
      return name === undefined;
    default:
      return name !== undefined;
  }
}

/** Whether a pod has a deadline, as those of jobs do. */
export function isTerminating(pod: KubeObject): boolean {
  const deadline = getPath(pod, "spec", "activeDeadlineSeconds");
  return typeof deadline === "number" && deadline >= 0;
}

function isBestEffort(pod: KubeObject): boolean {
  const states = (holder: Json | undefined): boolean =>
    ["requests", "limits"].some((which) => {
      const amounts = getPath(holder, "resources", which);
      return isObject(amounts) && (Object.hasOwn(amounts, "cpu") || Object.hasOwn(amounts, "memory"));
    });
  const containers = [...containersOf(pod, "containers"), ...containersOf(pod, "initContainers")];
  return !states(pod.spec) && !containers.some(states);
}

function looksIntoOtherNamespaces(pod: KubeObject): boolean {
  return ["podAffinity", "podAntiAffinity"].some((affinity) => {
    const terms = (kind: string): Json[] => {
      const list = getPath(pod, "spec", "affinity", affinity, `${kind}DuringSchedulingIgnoredDuringExecution`);
      return Array.isArray(list) ? list : [];
    };
    const all = [...terms("required"), ...terms("preferred").map((term) => getPath(term, "podAffinityTerm") ?? null)];
    return all.some((term) => {
      const namespaces = getPath(term, "namespaces");
      return (Array.isArray(namespaces) && namespaces.length > 0) || isObject(getPath(term, "namespaceSelector"));
    });
  });
}
