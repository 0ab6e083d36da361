import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectKey } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";

const SERVICE_NAME = "kubernetes.io/service-name";

/** The name of an index of EndpointSlices by the key of their Service. */
export const SLICES_BY_SERVICE = "service";

/** Files an EndpointSlice under the key of its Service. */
export function serviceOfSlice({ metadata }: Immutable<discovery.EndpointSlice>): readonly ObjectKey[] {
  const name = metadata.labels?.[SERVICE_NAME];
  if (name === undefined || metadata.namespace === undefined) return [];
  return [keyOf({ namespace: metadata.namespace, name })];
}

/** The name of an index of Services by the addresses that lead to them. */
export const SERVICES_BY_ADDRESS = "address";

/** An address of a Service as its index has it. A node port is open on every node, so no IP is told for it. */
export function addressKey(ip: string | undefined, port: number): string {
  return ip === undefined ? `node:${port}` : `${ip}|${port}`;
}

/** Files a Service under each address at which it is reached: cluster IPs, external IPs, node ports. */
export function addressesOfService({ spec, status }: Immutable<core.Service>): readonly string[] {
  if (spec === undefined || spec.type === "ExternalName") return [];
  const ips = [
    ...(spec.clusterIPs ?? []).filter((ip) => ip !== "None"),
    ...(spec.externalIPs ?? []),
    ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip === undefined ? [] : [ip])),
  ];
  return (spec.ports ?? []).flatMap(({ port, nodePort }) => [
    ...ips.map((ip) => addressKey(ip, port)),
    ...(nodePort === undefined ? [] : [addressKey(undefined, nodePort)]),
  ]);
}
