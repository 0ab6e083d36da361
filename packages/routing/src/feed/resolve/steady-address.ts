import { getPath } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { serviceName } from "./service-name.ts";

/** An address in one form for all ways to write it: `web.shop:8080` for the Service `web`, seen from the namespace `shop`. */
export function steadyAddress(host: string, port: number, namespace: string, clusterDomain: string): string {
  const named = serviceName(host, namespace, clusterDomain);
  return `${named === undefined ? host.toLowerCase() : `${named.name}.${named.namespace}`}:${port}`;
}

/** The address of an entry of `hosts`; undefined: it is none. */
export function hostAddress(host: Json | undefined, namespace: string, clusterDomain: string): string | undefined {
  const [address, port] = [getPath(host, "address"), getPath(host, "port")];
  if (typeof address !== "string" || typeof port !== "number") return undefined;
  return steadyAddress(address, port, namespace, clusterDomain);
}

/** The address of a backend that has just one host. */
export function onlyAddress(spec: Json | undefined, namespace: string, clusterDomain: string): string | undefined {
  const hosts = getPath(spec, "hosts");
  return Array.isArray(hosts) && hosts.length === 1 ? hostAddress(hosts[0], namespace, clusterDomain) : undefined;
}
