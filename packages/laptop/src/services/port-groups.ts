import type { Immutable } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";
import { hostnameIn, isEnding, isReachable, isReady, podIPs, targetPort, targetRef } from "./pod-endpoint.ts";

type Service = Immutable<core.Service>;
type Pod = Immutable<core.Pod>;
type EndpointPort = Immutable<discovery.EndpointPort>;

/** Endpoints that offer the same ports: a slice has one list of ports for all of its endpoints. */
export interface PortGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Immutable<discovery.Endpoint>[];
}

/** What a slice holds. The server says null where there is nothing. */
export function contentOf({ ports, endpoints }: Immutable<discovery.EndpointSlice>): PortGroup {
  return { ports: ports ?? [], endpoints: endpoints ?? [] };
}

/** The same text for the same ports, in whatever order. */
export function portsKey(ports: readonly EndpointPort[]): string {
  const keys = ports.map(({ name = "", port = 0, protocol = "TCP", appProtocol = "" }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return keys.sort().join();
}

/** The endpoints that a Service should have in one family of addresses, grouped by the ports that its pods have for it. */
export function portGroups(service: Service, pods: readonly Pod[], addressType: string): readonly PortGroup[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: discovery.Endpoint[] }>();
  for (const pod of pods) {
    const addresses = podIPs(pod).filter((ip) => ip.includes(":") === (addressType === "IPv6"));
    if (!isReachable(pod) || addresses.length === 0) continue;
    const ports = portsOn(service, pod);
    const key = portsKey(ports);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { ports, endpoints: [] }));
    group.endpoints.push(endpointOf(service, pod, addresses));
  }
  return [...groups.values()];
}

function portsOn({ spec }: Service, pod: Pod): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((offered) => {
    const port = targetPort(offered, pod);
    const { name = "", protocol = "TCP", appProtocol } = offered;
    return port === undefined ? [] : [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function endpointOf(service: Service, pod: Pod, addresses: string[]): discovery.Endpoint {
  const [serving, terminating] = [isReady(pod), isEnding(pod)];
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameIn(service, pod);
  const nodeName = pod.spec?.nodeName;
  return {
    addresses,
    conditions: { ready, serving, terminating },
    targetRef: targetRef(pod),
    ...(nodeName !== undefined && nodeName !== "" && { nodeName }),
    ...(hostname !== undefined && { hostname }),
  };
}
