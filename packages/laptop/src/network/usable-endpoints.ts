import type { Immutable } from "@gatewright/kube";
import type { discovery } from "@gatewright/kube/api";
import type { Address } from "./cluster-network.ts";

/**
 * The endpoints that take new connections to a port of a Service: those that are ready, and where none is, those that still serve
 * while they end.
 */
export function usableEndpoints(
  slices: readonly Immutable<discovery.EndpointSlice>[],
  portName: string,
): readonly Address[] {
  const ready = new Map<string, Address>();
  const ending = new Map<string, Address>();
  for (const { endpoints, ports } of slices) {
    const port = ports?.find(({ name }) => (name ?? "") === portName)?.port;
    if (port === undefined) continue;
    for (const { addresses, conditions } of endpoints ?? []) {
      const group = conditions?.ready !== false ? ready : endsServing(conditions) ? ending : undefined;
      const host = addresses[0];
      if (host !== undefined) group?.set(`${host}|${port}`, { host, port });
    }
  }
  return [...(ready.size > 0 ? ready : ending).values()];
}

function endsServing({ serving, terminating }: Immutable<discovery.EndpointConditions>): boolean {
  return serving === true && terminating === true;
}
