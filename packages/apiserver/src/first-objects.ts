import type { GroupResource, KubeObject } from "@gatewright/kube";
import { bootstrapRbac } from "./auth/index.ts";
import type { Cluster } from "./cluster.ts";
import { bootstrapObjects, ensureObjects } from "./controllers/index.ts";
import type { BootstrapOptions } from "./controllers/index.ts";

const RBAC = "rbac.authorization.k8s.io";
const RBAC_RESOURCES: Readonly<Record<string, string>> = {
  ClusterRole: "clusterroles",
  ClusterRoleBinding: "clusterrolebindings",
  Role: "roles",
  RoleBinding: "rolebindings",
};

function rbacResource(object: KubeObject): GroupResource {
  return { group: RBAC, resource: RBAC_RESOURCES[object.kind] ?? "" };
}

/** Makes what every cluster is born with, where it is missing. */
export async function createFirstObjects(cluster: Cluster, options: BootstrapOptions): Promise<void> {
  await ensureObjects(cluster, [
    ...bootstrapObjects(options),
    ...bootstrapRbac().map((object) => ({ resource: rbacResource(object), object })),
  ]);
}
