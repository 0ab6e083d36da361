import { notFound } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { struct, structs, text } from "../resources/object-fields.ts";
import type { PodIdentity } from "./node-access.ts";

const PODS = { group: "", resource: "pods" };

/** A pod as it is stored, and what those who connect to it ask of it. */
export interface KnownPod extends PodIdentity {
  readonly spec: JsonObject | undefined;
  /** Empty while no node has it. */
  readonly nodeName: string;
  /** Empty while it has none. */
  readonly ip: string;
}

/** The pod of a name. Throws 404 when there is none. */
export function knownPod(cluster: Pick<Cluster, "get">, namespace: string, name: string): KnownPod {
  const pod = cluster.get(PODS, namespace, name);
  if (!pod) throw notFound(PODS, name);
  return known(pod);
}

function known(pod: KubeObject): KnownPod {
  const { namespace = "", name = "", uid = "" } = pod.metadata;
  const [spec, status] = [struct(pod, "spec"), struct(pod, "status")];
  const ip = text(status, "podIP") || text(structs(status, "podIPs")[0], "ip");
  return { namespace, name, uid, spec, nodeName: text(spec, "nodeName"), ip };
}
