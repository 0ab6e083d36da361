import { getPath } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { followTable } from "./follow-table.ts";
import { WorkQueue } from "./work-queue.ts";

const POLICIES: GroupResource = { group: "admissionregistration.k8s.io", resource: "validatingadmissionpolicies" };

/**
 * Tells in the status of each ValidatingAdmissionPolicy which generation of it is in force. Expressions are not checked
 * against the types of the kinds that they match, so there are no warnings.
 */
export function startPolicyStatusController(cluster: Cluster, deps: ControllerDeps): Controller {
  const queue = new WorkQueue({
    clock: deps.clock,
    work: sync,
    failed: (name, error) => deps.report(`the status of policy ${name} could not be updated`, error),
  });
  const table = cluster.store.table(cluster.resources.get(POLICIES)?.table ?? "");
  const end = followTable(table, (type, { key }) => {
    if (type !== "DELETED") queue.add(key);
  });

  async function sync(name: string): Promise<void> {
    const change = (policy: KubeObject): boolean => {
      const { generation = 1 } = policy.metadata;
      if (getPath(policy, "status", "observedGeneration") === generation) return false;
      policy.status = { observedGeneration: generation, typeChecking: {} };
      return true;
    };
    await cluster.edit(POLICIES, "", name, change, "status");
  }

  return {
    idle: () => queue.idle(),
    stop() {
      end();
      return queue.stop();
    },
  };
}
