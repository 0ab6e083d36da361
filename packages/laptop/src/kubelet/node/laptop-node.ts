import { cpus, totalmem } from "node:os";
import { canonicalQuantity } from "@gatewright/kube";

/** The one node of the laptop, as it is told to the API. */
export interface LaptopNode {
  readonly name: string;
  /** Of no real interface: addresses of the cluster lead nowhere but through the cluster network. */
  readonly address: string;
  /** What AWS calls it, when it is the target of a load balancer. */
  readonly instanceId: string;
  readonly labels: Readonly<Record<string, string>>;
  /** As the server would write these quantities: what it stores is compared with it. */
  readonly capacity: Readonly<Record<"cpu" | "memory" | "pods" | "ephemeral-storage", string>>;
}

/**
 * The node `laptop`. Nothing that is asked for is really taken, so it has room for many pods; what does not fit into 64 processors and
 * 256 GiB is refused all the same, as a cluster would.
 */
export function laptopNode(changes: Partial<LaptopNode> = {}): LaptopNode {
  const name = changes.name ?? "laptop";
  return {
    address: "192.168.244.2",
    instanceId: "i-00000000000001a90",
    labels: {
      "kubernetes.io/hostname": name,
      "kubernetes.io/os": "linux",
      "kubernetes.io/arch": process.arch === "x64" ? "amd64" : process.arch,
      "node.kubernetes.io/instance-type": "laptop",
      "topology.kubernetes.io/region": "us-east-1",
      "topology.kubernetes.io/zone": "us-east-1a",
    },
    capacity: {
      cpu: String(Math.max(64, cpus().length)),
      memory: canonicalQuantity(`${Math.max(256 * 1024 * 1024, Math.floor(totalmem() / 1024))}Ki`),
      pods: "10000",
      "ephemeral-storage": "1Ti",
    },
    ...changes,
    name,
  };
}
