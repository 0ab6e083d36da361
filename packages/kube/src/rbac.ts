import { quote } from "./quote.ts";

/** A rule of a Role or ClusterRole. There are no rules that deny. */
export type PolicyRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
};

/** What a rule is asked about: a resource, or a path that is none. */
export type RuleRequest =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

const none: readonly string[] = [];
const hasOrAll = (set: readonly string[] = none, wanted: string): boolean => set.includes("*") || set.includes(wanted);

/** Whether a rule lets a request through. `pods` does not cover `pods/log`; a request without name meets no names. */
export function ruleAllows(rule: PolicyRule, request: RuleRequest): boolean {
  if (!hasOrAll(rule.verbs, request.verb)) return false;
  if ("path" in request) return (rule.nonResourceURLs ?? none).some((url) => nonResourceURLMatches(url, request.path));
  return (
    hasOrAll(rule.apiGroups, request.group) &&
    resourceMatches(rule.resources ?? none, request.resource, request.subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(request.name))
  );
}

function resourceMatches(resources: readonly string[], resource: string, subresource: string): boolean {
  const asked = subresource === "" ? resource : `${resource}/${subresource}`;
  if (hasOrAll(resources, asked)) return true;
  return subresource !== "" && resources.includes(`*/${subresource}`);
}

/** `*`, the path itself, or a prefix that ends in `*`. */
export function nonResourceURLMatches(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, "")));
}

/** A rule as many with one verb, one group, one resource and at most one name each (or one URL). */
function breakdown(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  for (const group of rule.apiGroups ?? none) {
    for (const resource of rule.resources ?? none) {
      for (const verb of rule.verbs) {
        const part: PolicyRule = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (!rule.resourceNames?.length) parts.push(part);
        else for (const name of rule.resourceNames) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? none) {
    for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  }
  return parts;
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  const [group, resource] = [part.apiGroups?.[0], part.resources?.[0]];
  const [name, url] = [part.resourceNames?.[0], part.nonResourceURLs?.[0]];
  if (!hasOrAll(owner.verbs, part.verbs[0]!)) return false;
  if (url !== undefined && !(owner.nonResourceURLs ?? none).some((u) => nonResourceURLMatches(u, url))) return false;
  if (group !== undefined && !hasOrAll(owner.apiGroups, group)) return false;
  if (resource !== undefined) {
    const [main = "", ...rest] = resource.split("/");
    if (!resourceMatches(owner.resources ?? none, main, rest.join("/"))) return false;
  }
  return !owner.resourceNames?.length || (name !== undefined && owner.resourceNames.includes(name));
}

/** The parts of the requested rules that no owned rule covers: empty when nothing would be escalated. */
export function uncoveredRules(owned: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] {
  return requested.flatMap(breakdown).filter((part) => !owned.some((rule) => covers(rule, part)));
}

/** Whether one who holds `owned` may hand out `requested`. */
export function rulesCover(owned: readonly PolicyRule[], requested: readonly PolicyRule[]): boolean {
  return uncoveredRules(owned, requested).length === 0;
}

/** Rules about one resource of one group (and at most one name) joined into one with all their verbs. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const byTarget = new Map<string, PolicyRule>();
  const kept: PolicyRule[] = [];
  for (const rule of rules) {
    const simple = rule.apiGroups?.length === 1 && rule.resources?.length === 1 && !rule.nonResourceURLs?.length;
    const target = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames ?? []]);
    const known = byTarget.get(target);
    if (!simple || (rule.resourceNames?.length ?? 0) > 1) {
      kept.push(rule);
    } else if (known) {
      known.verbs.push(...rule.verbs);
    } else {
      const joined = { ...rule, verbs: [...rule.verbs] };
      byTarget.set(target, joined);
      kept.push(joined);
    }
  }
  return kept;
}

/** `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}`: how refusals of escalation name a rule. */
export function formatRule(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ];
  const shown = parts
    .filter(([, list]) => list?.length)
    .map(([label, list]) => `${label}:[${list!.map(quote).join(" ")}]`);
  return `{${shown.join(", ")}}`;
}
