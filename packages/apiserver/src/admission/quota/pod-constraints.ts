import { getPath, isObject } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { containersOf, readAmounts } from "../pod-resources.ts";
import type { ResourceAmounts } from "../pod-resources.ts";
import { computeUsage } from "./quota-usage.ts";

const STATED = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

/**
 * Where a quota limits cpu or memory, every container must say how much it wants. Returns what is missing, or undefined.
 */
export function missingConstraints(pod: KubeObject, names: readonly string[]): string | undefined {
  const own = getPath(pod, "spec", "resources");
  if (isObject(own) && Object.keys(own).length > 0) return undefined;
  const missing = new Map<string, string[]>();
  for (const container of [...containersOf(pod, "containers"), ...containersOf(pod, "initContainers")]) {
    const usage: ResourceAmounts = new Map();
    const amounts = (which: string): ResourceAmounts => readAmounts(getPath(container, "resources", which));
    computeUsage(usage, amounts("requests"), amounts("limits"));
    for (const name of names) {
      if (!STATED.includes(name) || usage.has(name)) continue;
      missing.set(name, [...(missing.get(name) ?? []), String(container.name ?? "")]);
    }
  }
  if (missing.size === 0) return undefined;
  const told = [...missing].sort(([a], [b]) => (a < b ? -1 : 1));
  return `must specify ${told.map(([name, containers]) => `${name} for: ${containers.sort().join(",")}`).join("; ")}`;
}
