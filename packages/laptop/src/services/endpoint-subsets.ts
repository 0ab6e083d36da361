import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import {
  hostnameIn,
  isEnding,
  isHeadless,
  isReachable,
  isReady,
  podIPs,
  targetPort,
  targetRef,
} from "./pod-endpoint.ts";

type Service = Immutable<core.Service>;
type Pod = Immutable<core.Pod>;

/** The addresses of an Endpoints object and whether some had to be left out. */
export interface Subsets {
  readonly subsets: readonly core.EndpointSubset[];
  readonly truncated: boolean;
}

interface Bound {
  readonly address: core.EndpointAddress;
  readonly ready: boolean;
}

/**
 * The endpoints of a Service in the old form: ports that the same pods offer share a subset. Ready addresses go before others when there
 * are more than `limit`.
 */
export function endpointSubsets(service: Service, pods: readonly Pod[], limit: number): Subsets {
  const evenUnready = service.spec?.publishNotReadyAddresses === true;
  const ports = new Map<string, { port: core.EndpointPort | undefined; bound: Bound[] }>();
  const candidates = pods.filter((pod) => isReachable(pod) && (evenUnready || !isEnding(pod)));
  const all = candidates.flatMap((pod) => {
    const address = addressOf(service, pod);
    return address === undefined ? [] : [{ pod, bound: { address, ready: evenUnready || isReady(pod) } }];
  });
  const used = all.toSorted((a, b) => Number(b.bound.ready) - Number(a.bound.ready)).slice(0, limit);
  for (const { pod, bound } of used) {
    for (const port of portsOn(service, pod)) {
      const key = JSON.stringify(port ?? null);
      let entry = ports.get(key);
      if (entry === undefined) ports.set(key, (entry = { port, bound: [] }));
      entry.bound.push(bound);
    }
  }
  const sharing = Map.groupBy(ports.values(), ({ bound }) => bound.map(({ address }) => address.targetRef?.uid).join());
  return { subsets: Array.from(sharing.values(), subsetOf), truncated: used.length < all.length };
}

/** Nothing where the pod has no port for the Service; one entry without a port for a headless Service that has none. */
function portsOn(service: Service, pod: Pod): readonly (core.EndpointPort | undefined)[] {
  const offered = service.spec?.ports ?? [];
  if (offered.length === 0) return isHeadless(service) ? [undefined] : [];
  return offered.flatMap((servicePort) => {
    const port = targetPort(servicePort, pod);
    const { name, protocol = "TCP", appProtocol } = servicePort;
    if (port === undefined) return [];
    return [{ ...(name && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function addressOf(service: Service, pod: Pod): core.EndpointAddress | undefined {
  const six = service.spec?.ipFamilies?.[0] === "IPv6";
  const ip = podIPs(pod).find((candidate) => candidate.includes(":") === six);
  if (ip === undefined) return undefined;
  const hostname = hostnameIn(service, pod);
  const nodeName = pod.spec?.nodeName;
  return {
    ip,
    ...(nodeName !== undefined && nodeName !== "" && { nodeName }),
    ...(hostname !== undefined && { hostname }),
    targetRef: targetRef(pod),
  };
}

function subsetOf(
  entries: readonly { port: core.EndpointPort | undefined; bound: readonly Bound[] }[],
): core.EndpointSubset {
  const bound = (entries[0]?.bound ?? []).toSorted((a, b) => (a.address.ip < b.address.ip ? -1 : 1));
  const addresses = bound.filter(({ ready }) => ready).map(({ address }) => address);
  const notReadyAddresses = bound.filter(({ ready }) => !ready).map(({ address }) => address);
  const ports = entries.flatMap(({ port }) => port ?? []);
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}
