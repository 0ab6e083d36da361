import { getPath, isObject, quote } from "@gatewright/kube";
import type { Json, KubeObject } from "@gatewright/kube";
import type { ServiceResolver } from "./admission/index.ts";
import type { Cluster } from "./cluster.ts";

const SERVICES = { group: "", resource: "services" };
const SLICES = { group: "discovery.k8s.io", resource: "endpointslices" };
const SERVICE_NAME = "kubernetes.io/service-name";

const items = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/**
 * Finds where a Service's port is served: a ready endpoint of its EndpointSlices, or the name of an ExternalName Service.
 * Throws when there is no such Service. This server is outside of any cluster network, so it dials the endpoint itself and not the cluster IP.
 */
export function serviceResolver(cluster: Pick<Cluster, "get" | "list">): ServiceResolver {
  return (namespace, name, port) => {
    const service = cluster.get(SERVICES, namespace, name);
    if (!service) throw new Error(`service ${quote(name)} not found`);
    const external = getPath(service, "spec", "externalName");
    if (getPath(service, "spec", "type") === "ExternalName" && typeof external === "string") {
      return { hostname: external, port };
    }
    const portName = nameOfPort(service, port);
    if (portName === undefined) return undefined;
    for (const slice of cluster.list(SLICES, namespace)) {
      if (slice.metadata.labels?.[SERVICE_NAME] !== name) continue;
      const target = readyTarget(slice, portName);
      if (target) return target;
    }
    return undefined;
  };
}

function nameOfPort(service: KubeObject, port: number): string | undefined {
  const found = items(getPath(service, "spec", "ports")).find((p) => getPath(p, "port") === port);
  if (!isObject(found)) return undefined;
  return typeof found["name"] === "string" ? found["name"] : "";
}

function readyTarget(slice: KubeObject, portName: string): { hostname: string; port: number } | undefined {
  const port = items(slice["ports"]).find((p) => (getPath(p, "name") ?? "") === portName);
  const number = getPath(port, "port");
  if (typeof number !== "number") return undefined;
  for (const endpoint of items(slice["endpoints"])) {
    const [address] = items(getPath(endpoint, "addresses"));
    const ready = getPath(endpoint, "conditions", "ready");
    if (typeof address === "string" && ready !== false) return { hostname: address, port: number };
  }
  return undefined;
}
