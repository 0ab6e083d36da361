import { StatusError } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";

/** An object that the server makes for itself. */
export interface BootstrapObject {
  readonly resource: GroupResource;
  readonly object: KubeObject;
}

export interface BootstrapOptions {
  /** The first address of the service range: the ClusterIP of `default/kubernetes`. */
  readonly serviceIp: string;
  /** The port at which this server listens. */
  readonly port: number;
  /**
   * The address at which pods would reach this server. A loopback address is none: then the Service has no endpoints,
   * because Kubernetes does not allow loopback ones.
   */
  readonly advertiseAddress?: string;
}

const core = (resource: string): GroupResource => ({ group: "", resource });
const SYSTEM_NAMESPACES = ["kube-system", "kube-public", "kube-node-lease", "default"];

/** What a cluster has from the start. */
export function bootstrapObjects(options: BootstrapOptions): BootstrapObject[] {
  return [
    ...SYSTEM_NAMESPACES.map((name) => ({
      resource: core("namespaces"),
      object: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    })),
    priorityClass(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    priorityClass(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
    kubernetesService(options),
    ...kubernetesEndpoints(options),
  ];
}

function priorityClass(name: string, value: number, description: string): BootstrapObject {
  return {
    resource: { group: "scheduling.k8s.io", resource: "priorityclasses" },
    object: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value, description },
  };
}

function kubernetesService({ serviceIp, port }: BootstrapOptions): BootstrapObject {
  const labels = { component: "apiserver", provider: "kubernetes" };
  return {
    resource: core("services"),
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "kubernetes", namespace: "default", labels },
      spec: {
        clusterIP: serviceIp,
        clusterIPs: [serviceIp],
        ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: port }],
        sessionAffinity: "None",
        type: "ClusterIP",
      },
    },
  };
}

function kubernetesEndpoints({ advertiseAddress, port }: BootstrapOptions): BootstrapObject[] {
  if (advertiseAddress === undefined || /^(127\.|::1$|localhost$)/.test(advertiseAddress)) return [];
  const metadata = { name: "kubernetes", namespace: "default" };
  const ports = [{ name: "https", port, protocol: "TCP" }];
  return [
    {
      resource: core("endpoints"),
      object: {
        apiVersion: "v1",
        kind: "Endpoints",
        metadata: { ...metadata, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
        subsets: [{ addresses: [{ ip: advertiseAddress }], ports }],
      },
    },
    {
      resource: { group: "discovery.k8s.io", resource: "endpointslices" },
      object: {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: { ...metadata, labels: { "kubernetes.io/service-name": "kubernetes" } },
        addressType: advertiseAddress.includes(":") ? "IPv6" : "IPv4",
        endpoints: [{ addresses: [advertiseAddress], conditions: { ready: true } }],
        ports,
      },
    },
  ];
}

/**
 * Makes what is missing: namespaces, then all the rest at once, so that it shares a sync of the disk. What is there stays
 * as it is, whoever made it.
 */
export async function ensureObjects(cluster: Cluster, objects: readonly BootstrapObject[]): Promise<void> {
  const ensure = (these: readonly BootstrapObject[]): Promise<unknown> =>
    Promise.all(these.map((one) => ensureObject(cluster, one)));
  await ensure(objects.filter(({ object }) => object.kind === "Namespace"));
  await ensure(objects.filter(({ object }) => object.kind !== "Namespace"));
}

async function ensureObject(cluster: Cluster, { resource, object }: BootstrapObject): Promise<void> {
  const { namespace = "", name = "" } = object.metadata;
  if (cluster.get(resource, namespace, name)) return;
  try {
    await cluster.create(resource, object);
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
  }
}
