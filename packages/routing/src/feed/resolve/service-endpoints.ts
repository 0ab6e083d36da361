import type { Immutable } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";
import type { FeedSettings } from "../feed-settings.ts";

export interface Host {
  readonly address: string;
  readonly port: number;
}

type Slice = Immutable<discovery.EndpointSlice>;

/**
 * Where the endpoints of a Service's port are, in a steady order. Those that are ready; while none is, those that still serve while
 * they end. Of two families of addresses the Service's first one counts, so that no endpoint counts twice.
 */
export function serviceEndpoints(
  service: Immutable<core.Service>,
  port: Immutable<core.ServicePort>,
  slices: readonly Slice[],
  reachable: FeedSettings["reachable"],
): readonly Host[] {
  const ready = new Map<string, Host>();
  const ending = new Map<string, Host>();
  for (const { endpoints, ports } of sameFamily(service, slices)) {
    const at = ports?.find(({ name = "", protocol = "TCP" }) => name === (port.name ?? "") && protocol === "TCP")?.port;
    if (at === undefined) continue;
    for (const { addresses, conditions } of endpoints ?? []) {
      const [address] = addresses;
      if (address === undefined) continue;
      const host = reachable(address, at);
      if (host === undefined) continue;
      const key = `${host.address} ${host.port}`;
      if (conditions?.ready !== false) ready.set(key, host);
      else if (conditions.serving === true && conditions.terminating === true) ending.set(key, host);
    }
  }
  const hosts = ready.size > 0 ? ready : ending;
  return [...hosts.keys()].toSorted().map((key) => hosts.get(key)!);
}

function sameFamily({ spec }: Immutable<core.Service>, slices: readonly Slice[]): readonly Slice[] {
  const types = new Set(slices.map(({ addressType }) => addressType));
  const first = spec?.ipFamilies?.[0];
  const family =
    first !== undefined && types.has(first) ? first : ["IPv4", "IPv6", "FQDN"].find((one) => types.has(one));
  return slices.filter(({ addressType }) => addressType === family);
}
