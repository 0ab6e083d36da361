import { notFound, quote, serviceUnavailable } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import type { Random } from "@gatewright/ports";
import type { Cluster } from "../cluster.ts";
import { count, struct, structs, text } from "../resources/object-fields.ts";
import type { ConnectSubresource } from "../resources/resource.ts";
import type { NodeAccess, PodIdentity } from "./node-access.ts";
import { passOn } from "./pass-on.ts";
import { PROXY_VERBS } from "./proxy-verbs.ts";
import { parseProxiedName } from "./proxied-name.ts";

const SERVICES = { group: "", resource: "services" };
const ENDPOINTS = { group: "", resource: "endpoints" };
const PODS = { group: "", resource: "pods" };

/** One pod behind a Service. */
interface Backend {
  readonly pod: PodIdentity;
  readonly ip: string;
  readonly port: number;
}

/** `services/proxy`: a port of one of the pods behind a Service, any that is ready, behind a path of this server. */
export function serviceProxy(nodes: NodeAccess, cluster: Pick<Cluster, "get">, random: Random): ConnectSubresource {
  return {
    type: "connect",
    kind: { group: "", version: "v1", kind: "ServiceProxyOptions" },
    verbs: PROXY_VERBS,
    takesPath: true,
    async connect(request, { namespace, name: id, path }) {
      const { scheme, name, port } = parseProxiedName(id, "service");
      const service = cluster.get(SERVICES, namespace, name);
      if (!service) throw notFound(SERVICES, name);
      const portName = /^[0-9]+$/.test(port) ? nameOfPort(service, Number(port)) : port;
      const backends = backendsOf(cluster, namespace, name, portName);
      const backend = backends[Buffer.from(random.bytes(4)).readUInt32LE() % backends.length];
      if (backend === undefined) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
      const prefix = request.path.slice(0, request.path.length - path.length);
      const host = backend.ip.includes(":") ? `[${backend.ip}]:${backend.port}` : `${backend.ip}:${backend.port}`;
      const connect = (signal: AbortSignal) => nodes.connect(backend.pod, backend.port, signal);
      return passOn(request, { scheme, host, prefix, path, connect });
    },
  };
}

function nameOfPort(service: KubeObject, port: number): string {
  const found = structs(struct(service, "spec"), "ports").find((offered) => offered["port"] === port);
  if (found) return text(found, "name");
  throw serviceUnavailable(`no service port ${port} found for service ${quote(service.metadata.name ?? "")}`);
}

/** Only addresses of pods that are there: a Service must not lead callers to any other host. */
function backendsOf(cluster: Pick<Cluster, "get">, namespace: string, name: string, portName: string): Backend[] {
  const endpoints = cluster.get(ENDPOINTS, namespace, name);
  return structs(endpoints, "subsets").flatMap((subset) => {
    const port = structs(subset, "ports").find((offered) => text(offered, "name") === portName);
    if (!port) return [];
    return structs(subset, "addresses").flatMap((address) => {
      const pod = podBehind(cluster, namespace, address);
      return pod ? [{ pod, ip: text(address, "ip"), port: count(port, "port") }] : [];
    });
  });
}

function podBehind(cluster: Pick<Cluster, "get">, namespace: string, address: JsonObject): PodIdentity | undefined {
  const target = struct(address, "targetRef");
  const [name, uid] = [text(target, "name"), text(target, "uid")];
  if (text(target, "kind") !== "Pod" || text(target, "namespace") !== namespace) return undefined;
  const pod = cluster.get(PODS, namespace, name);
  return pod?.metadata.uid === uid ? { namespace, name, uid } : undefined;
}
