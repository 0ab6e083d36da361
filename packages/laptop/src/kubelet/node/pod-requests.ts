import { compareQuantities, parseQuantity, roundedUp } from "@gatewright/kube";
import type { Immutable, Quantity } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

/** What a pod asks of its node: thousandths of processors, and bytes. */
export interface Requests {
  readonly cpu: bigint;
  readonly memory: bigint;
}

const NONE: Requests = { cpu: 0n, memory: 0n };

/** The sum of two. */
export function addRequests(a: Requests, b: Requests): Requests {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}

/** One without the other. */
export function subtractRequests(a: Requests, b: Requests): Requests {
  return { cpu: a.cpu - b.cpu, memory: a.memory - b.memory };
}

/** A list of resources, as requests. */
export function requestsOf(list: Immutable<Record<string, string | number>> | undefined): Requests {
  return { cpu: roundedUp(quantity(list?.["cpu"]), -3), memory: roundedUp(quantity(list?.["memory"])) };
}

/**
 * What a pod takes at its most: its containers and those beside them together, or one of those that prepare it, with the sidecars
 * that were started before.
 */
export function podRequests(spec: Immutable<core.PodSpec> | undefined): Requests {
  let [running, sidecars, preparing] = [NONE, NONE, NONE];
  for (const { resources } of spec?.containers ?? []) running = addRequests(running, requestsOf(resources?.requests));
  for (const { resources, restartPolicy } of spec?.initContainers ?? []) {
    const asked = requestsOf(resources?.requests);
    if (restartPolicy === "Always") sidecars = addRequests(sidecars, asked);
    else preparing = larger(preparing, addRequests(sidecars, asked));
  }
  const most = larger(addRequests(running, sidecars), preparing);
  return addRequests(most, requestsOf(spec?.overhead));
}

function larger(a: Requests, b: Requests): Requests {
  return { cpu: a.cpu > b.cpu ? a.cpu : b.cpu, memory: a.memory > b.memory ? a.memory : b.memory };
}

const ZERO = parseQuantity("0");

function quantity(value: string | number | undefined): Quantity {
  const parsed = value === undefined ? ZERO : parseQuantity(String(value));
  return compareQuantities(parsed, ZERO) < 0 ? ZERO : parsed;
}
