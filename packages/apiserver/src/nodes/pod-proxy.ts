import { badRequest, serviceUnavailable, quote } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { count, structs } from "../resources/object-fields.ts";
import type { ConnectSubresource } from "../resources/resource.ts";
import { knownPod } from "./known-pod.ts";
import type { NodeAccess } from "./node-access.ts";
import { passOn } from "./pass-on.ts";
import { PROXY_VERBS } from "./proxy-verbs.ts";
import { parseProxiedName } from "./proxied-name.ts";

/** `pods/proxy`: a port of a pod behind a path of this server. */
export function podProxy(nodes: NodeAccess, cluster: Pick<Cluster, "get">): ConnectSubresource {
  return {
    type: "connect",
    kind: { group: "", version: "v1", kind: "PodProxyOptions" },
    verbs: PROXY_VERBS,
    takesPath: true,
    async connect(request, { namespace, name: id, path }) {
      const { scheme, name, port: asked } = parseProxiedName(id, "pod");
      const pod = knownPod(cluster, namespace, name);
      if (pod.ip === "") throw badRequest("address not allowed");
      const port = asked === "" ? (firstPort(pod.spec) ?? (scheme === "https" ? 443 : 80)) : Number(asked);
      if (!Number.isInteger(port) || port < 1 || port > 65535) {
        throw serviceUnavailable(`error trying to reach service: unknown port ${quote(asked)}`);
      }
      const prefix = request.path.slice(0, request.path.length - path.length);
      const host = pod.ip.includes(":") ? `[${pod.ip}]:${port}` : `${pod.ip}:${port}`;
      return passOn(request, { scheme, host, prefix, path, connect: (signal) => nodes.connect(pod, port, signal) });
    },
  };
}

function firstPort(spec: JsonObject | undefined): number | undefined {
  for (const container of structs(spec, "containers")) {
    const [port] = structs(container, "ports");
    if (port !== undefined) return count(port, "containerPort");
  }
  return undefined;
}
