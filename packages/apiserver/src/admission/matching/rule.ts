import type { GroupVersionResource, Json } from "@gatewright/kube";
import { isObject } from "@gatewright/kube";
import type { AdmissionAttributes } from "../admission.ts";
import { isNamespace } from "./admission-namespace.ts";

/** Which requests a webhook or policy is about. */
export interface Rule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** `pods`, `pods/status`, `*`, `pods/*`, `*` before a subresource, and so on. */
  readonly resources: readonly string[];
  readonly scope: string;
  /** Empty means all names. Only policies have them. */
  readonly resourceNames: readonly string[];
}

const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** The rules of a configuration, as it holds them after validation and defaulting. */
export function readRules(value: Json | undefined): Rule[] {
  return (Array.isArray(value) ? value : []).filter(isObject).map((rule) => ({
    operations: strings(rule.operations),
    apiGroups: strings(rule.apiGroups),
    apiVersions: strings(rule.apiVersions),
    resources: strings(rule.resources),
    scope: typeof rule.scope === "string" ? rule.scope : "*",
    resourceNames: strings(rule.resourceNames),
  }));
}

const covers = (items: readonly string[], asked: string): boolean => items.includes("*") || items.includes(asked);

/** Whether a rule is about a request, were it made to `resource`. */
export function ruleMatches(rule: Rule, attributes: AdmissionAttributes, resource: GroupVersionResource): boolean {
  return (
    covers(rule.operations, attributes.operation) &&
    covers(rule.apiGroups, resource.group) &&
    covers(rule.apiVersions, resource.version) &&
    rule.resources.some((pattern) => resourceMatches(pattern, resource.resource, attributes.subresource)) &&
    scopeMatches(rule.scope, attributes) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const main = slash < 0 ? pattern : pattern.slice(0, slash);
  const sub = slash < 0 ? "" : pattern.slice(slash + 1);
  return (main === "*" || main === resource) && (sub === "*" || sub === subresource);
}

function scopeMatches(scope: string, attributes: AdmissionAttributes): boolean {
  if (scope === "*") return true;
  const inNamespace = attributes.namespace !== "" && !isNamespace(attributes);
  return scope === "Namespaced" ? inNamespace : scope === "Cluster" && !inNamespace;
}
