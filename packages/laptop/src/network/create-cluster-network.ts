import { keyOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import type { Cache, Informer } from "@gatewright/runtime";
import type { Address, ClusterNetwork, PodPorts } from "./cluster-network.ts";
import {
  addressesOfService,
  addressKey,
  serviceOfSlice,
  SERVICES_BY_ADDRESS,
  SLICES_BY_SERVICE,
} from "./service-index.ts";
import { usableEndpoints } from "./usable-endpoints.ts";

export interface ClusterNetworkOptions {
  /** IPs of the nodes: where node ports are open. Default: none. */
  readonly nodeIPs?: readonly string[];
  /** How addresses of pods begin: they lead where the kubelet says, or nowhere. Default: `10.244.` */
  readonly podPrefix?: string;
}

/** Both sides of the network of a cluster on one machine. */
export interface LocalNetwork extends ClusterNetwork, PodPorts {
  /** From now on Services are known as the cache has them. Before that, only addresses of pods lead anywhere. */
  follow(cache: Pick<Cache, "informer">): void;
  /** Whether an address is a pod's, of one that is there or not: it is nobody's outside of this machine. */
  isPod(ip: string): boolean;
}

interface Known {
  readonly services: Informer<core.Service>;
  readonly slices: Informer<discovery.EndpointSlice>;
}

/**
 * The network of a cluster whose pods listen on this machine. Connections to a Service take turns among its endpoints. Endpoints that
 * are no pods (of Services without a selector) are dialled as they are.
 */
export function createClusterNetwork({
  nodeIPs = [],
  podPrefix = "10.244.",
}: ClusterNetworkOptions = {}): LocalNetwork {
  const nodes = new Set(nodeIPs);
  const pods = new Map<string, Map<number, Address>>();
  /** How many connections each port of a Service has had, as long as the Service stays as it is. */
  const turns = new WeakMap<Immutable<core.ServicePort>, number>();
  let known: Known | undefined;

  const ofPod = ({ host, port }: Address): Address | undefined => pods.get(host)?.get(port);
  const isPod = (ip: string): boolean => ip.startsWith(podPrefix);
  const ofEndpoint = (endpoint: Address): Address | undefined =>
    ofPod(endpoint) ?? (isPod(endpoint.host) ? undefined : endpoint);

  function ofService(key: string, isPort: (port: Immutable<core.ServicePort>) => boolean): Address | undefined {
    const [service] = known?.services.byIndex(SERVICES_BY_ADDRESS, key) ?? [];
    const port = service?.spec?.ports?.find(isPort);
    if (service === undefined || port === undefined) return undefined;
    const slices = known?.slices.byIndex(SLICES_BY_SERVICE, keyOf(service)) ?? [];
    const open = usableEndpoints(slices, port.name ?? "").flatMap((endpoint) => ofEndpoint(endpoint) ?? []);
    const turn = turns.get(port) ?? 0;
    turns.set(port, turn + 1);
    return open[turn % open.length];
  }

  return {
    isPod,
    publish(ip, port, address) {
      const ports = pods.get(ip) ?? new Map<number, Address>();
      ports.set(port, address);
      pods.set(ip, ports);
    },
    withdraw(ip) {
      pods.delete(ip);
    },
    follow(cache) {
      const services = cache.informer(core.Service);
      const slices = cache.informer(discovery.EndpointSlice);
      services.addIndex(SERVICES_BY_ADDRESS, addressesOfService);
      slices.addIndex(SLICES_BY_SERVICE, serviceOfSlice);
      known = { services, slices };
    },
    resolve(ip, port) {
      return (
        ofPod({ host: ip, port }) ??
        ofService(addressKey(ip, port), (offered) => carriesTcp(offered) && offered.port === port) ??
        (nodes.has(ip)
          ? ofService(addressKey(undefined, port), (offered) => carriesTcp(offered) && offered.nodePort === port)
          : undefined)
      );
    },
  };
}

/** A Service may offer a port twice, by TCP and by UDP. */
function carriesTcp({ protocol = "TCP" }: Immutable<core.ServicePort>): boolean {
  return protocol === "TCP";
}
