import type { ResourceRegistry } from "../resources/registry.ts";

/** Built-in groups by priority: clients resolve an ambiguous short name to the first. */
const PRIORITY: readonly string[] = [
  "",
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
];

function rank(group: string): number {
  const at = PRIORITY.indexOf(group);
  return at < 0 ? PRIORITY.length : at;
}

/** The served groups with their versions, as discovery lists them: built-in ones by priority, then the others by name. */
export function orderedGroups(registry: ResourceRegistry): [group: string, versions: readonly string[]][] {
  return [...registry.groups()].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
