import { badRequest } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { structs, text } from "../resources/object-fields.ts";
import type { ConnectSubresource } from "../resources/resource.ts";
import { knownPod } from "./known-pod.ts";
import { parseLogOptions } from "./log-options.ts";
import type { NodeAccess } from "./node-access.ts";
import { streamed } from "./streamed.ts";

/** `pods/log`: what a container has written. */
export function podLog(nodes: NodeAccess, cluster: Pick<Cluster, "get">): ConnectSubresource {
  return {
    type: "connect",
    kind: { group: "", version: "v1", kind: "Pod" },
    verbs: ["get"],
    takesPath: false,
    async connect({ query, signal }, { namespace, name }) {
      const options = parseLogOptions(query, name);
      const pod = knownPod(cluster, namespace, name);
      const container = chosenContainer(query.get("container") ?? "", pod.name, pod.spec);
      if (pod.nodeName === "") return { status: 204, headers: {}, body: Buffer.alloc(0) };
      const log = await nodes.logs(pod, container, options, signal);
      return { status: 200, headers: { "content-type": "text/plain" }, body: streamed(log) };
    },
  };
}

/** The container that is meant: the one that is named, or the only one. Throws 400 where that leaves a choice. */
function chosenContainer(asked: string, pod: string, spec: JsonObject | undefined): string {
  const [only, ...others] = structs(spec, "containers");
  const all = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    structs(spec, list).map((container) => text(container, "name")),
  );
  if (asked !== "") {
    if (all.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${pod}`);
  }
  if (only !== undefined && others.length === 0) return text(only, "name");
  throw badRequest(`a container name must be specified for pod ${pod}, choose one of: [${all.join(" ")}]`);
}
