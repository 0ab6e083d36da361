import { formatMicroTime, formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { coordination, core } from "@gatewright/kube/api";
import { after, updateStatus } from "@gatewright/runtime";
import type { ControllerDefinition, ReconcileContext } from "@gatewright/runtime";
import type { LaptopNode } from "./laptop-node.ts";

/** Where nodes say that they are alive. */
const LEASES = "kube-node-lease";
const LEASE_SECONDS = 40;
const RENEW_MS = 10_000;
const NOT_READY = "node.kubernetes.io/not-ready";

const CONDITIONS = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
] as const;

/**
 * Keeps the Node object of the laptop and its lease. The node is made again when somebody deletes it; labels, taints and cordons that
 * others set stay.
 */
export function nodes(node: LaptopNode): ControllerDefinition<core.Node> {
  return {
    name: "node",
    for: core.Node,
    when: (object, previous) => object === undefined && previous?.metadata.name === node.name,
    // Nothing else tells of a node that was never there.
    sources: [async (enqueue) => enqueue({ name: node.name })],
    access: [
      { resource: core.Node, verbs: ["create", "patch"] },
      { resource: core.Node, verbs: ["patch"], subresource: "status" },
      { resource: coordination.Lease, verbs: ["create", "patch"] },
    ],
    async reconcile(context) {
      const { client, signal } = context;
      const known = context.object ?? (await client.for(core.Node).apply(nodeObject(node), { signal }));
      const told = await updateStatus(client, core.Node, known, nodeStatus(node, known, context.clock.now()), {
        signal,
      });
      await admitPods(context, told);
      await renew(context, node);
      return after(RENEW_MS);
    },
  };
}

function nodeObject({ name, labels, instanceId }: LaptopNode) {
  return {
    metadata: { name, labels: { ...labels, "beta.kubernetes.io/os": "linux" } },
    spec: { podCIDR: "10.244.0.0/16", podCIDRs: ["10.244.0.0/16"], providerID: `aws:///us-east-1a/${instanceId}` },
  };
}

function nodeStatus(node: LaptopNode, known: Immutable<core.Node>, now: number): Immutable<core.NodeStatus> {
  const time = formatTime(now);
  const since = (type: string, status: string): string => {
    const before = known.status?.conditions?.find((condition) => condition.type === type);
    return before?.status === status ? (before.lastTransitionTime ?? time) : time;
  };
  return {
    capacity: node.capacity,
    allocatable: node.capacity,
    addresses: [
      { type: "InternalIP", address: node.address },
      { type: "Hostname", address: node.name },
    ],
    conditions: CONDITIONS.map(([type, status, reason, message]) => ({
      type,
      status,
      reason,
      message,
      lastHeartbeatTime: time,
      lastTransitionTime: since(type, status),
    })),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: node.labels["kubernetes.io/arch"] ?? "amd64",
      bootID: "",
      containerRuntimeVersion: "gatewright://1",
      kernelVersion: "",
      kubeProxyVersion: "",
      kubeletVersion: "v1.36.0+gatewright",
      machineID: "",
      operatingSystem: "linux",
      osImage: "Gatewright",
      systemUUID: "",
    },
  };
}

/** A node that has just come is marked as not ready. No other controller is there to take that back. */
async function admitPods({ client, signal }: ReconcileContext<core.Node>, node: Immutable<core.Node>): Promise<void> {
  const { name = "", resourceVersion } = node.metadata;
  const taints = node.spec?.taints?.filter(({ key }) => key !== NOT_READY);
  if (taints === undefined || taints.length === node.spec?.taints?.length) return;
  const merge = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
  await client.for(core.Node).patch({ name }, { merge }, { signal });
}

async function renew({ client, signal, clock }: ReconcileContext<core.Node>, { name }: LaptopNode): Promise<void> {
  const renewTime = formatMicroTime(clock.now());
  const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime };
  await client.for(coordination.Lease).apply({ metadata: { namespace: LEASES, name }, spec }, { signal });
}
