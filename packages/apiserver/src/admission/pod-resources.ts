import { addQuantities, compareQuantities, getPath, isObject, quantityOf } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject, Quantity } from "@gatewright/kube";

/** Amounts by resource name: `cpu`, `memory`, `example.com/gpu`. */
export type ResourceAmounts = Map<string, Quantity>;

/** Reads a ResourceList. What is not a quantity is passed over: validation refuses it elsewhere. */
export function readAmounts(value: Json | undefined): ResourceAmounts {
  const amounts: ResourceAmounts = new Map();
  for (const [name, text] of isObject(value) ? Object.entries(value) : []) {
    const quantity = quantityOf(text);
    if (quantity) amounts.set(name, quantity);
  }
  return amounts;
}

export function containersOf(pod: KubeObject, field: "containers" | "initContainers"): JsonObject[] {
  const list = getPath(pod, "spec", field);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Adds amounts to those that are there. */
export function addAmounts(total: ResourceAmounts, more: ResourceAmounts): void {
  for (const [name, amount] of more) {
    const before = total.get(name);
    total.set(name, before ? addQuantities(before, amount) : amount);
  }
}

function raise(total: ResourceAmounts, floor: ResourceAmounts): void {
  for (const [name, amount] of floor) {
    const before = total.get(name);
    if (!before || compareQuantities(amount, before) > 0) total.set(name, amount);
  }
}

/**
 * What a pod as a whole requests or is limited to: the sum of its containers, or what its init containers need before
 * them if that is more; sidecars (init containers that are always restarted) count for both. Amounts that the pod states
 * for itself win.
 */
export function podAmounts(pod: KubeObject, which: "requests" | "limits"): ResourceAmounts {
  const total: ResourceAmounts = new Map();
  for (const container of containersOf(pod, "containers"))
    addAmounts(total, readAmounts(getPath(container, "resources", which)));
  const sidecars: ResourceAmounts = new Map();
  const starting: ResourceAmounts = new Map();
  for (const container of containersOf(pod, "initContainers")) {
    const own = readAmounts(getPath(container, "resources", which));
    if (container.restartPolicy === "Always") {
      addAmounts(total, own);
      addAmounts(sidecars, own);
      raise(starting, sidecars);
    } else {
      addAmounts(own, sidecars);
      raise(starting, own);
    }
  }
  raise(total, starting);
  for (const [name, amount] of readAmounts(getPath(pod, "spec", "resources", which))) {
    if (name === "cpu" || name === "memory") total.set(name, amount);
  }
  return total;
}
