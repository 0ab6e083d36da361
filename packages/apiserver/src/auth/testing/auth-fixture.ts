import type { GroupResource, KubeObject, PolicyRule } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { FakeCluster } from "../../controllers/testing/fake-cluster.ts";
import { fakeResource } from "../../controllers/testing/fake-resource.ts";
import type { WriteContext } from "../../resources/resource.ts";
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, RBAC_GROUP, ROLE_BINDINGS, ROLES } from "../rbac/rbac-object.ts";
import type { UserInfo } from "../user.ts";

export const RESOURCE_OF: Readonly<Record<string, GroupResource>> = {
  Role: ROLES,
  ClusterRole: CLUSTER_ROLES,
  RoleBinding: ROLE_BINDINGS,
  ClusterRoleBinding: CLUSTER_ROLE_BINDINGS,
};

/** A cluster with the kinds that authentication and RBAC look at. */
export function authCluster(): { cluster: FakeCluster; clock: ManualClock } {
  const clock = new ManualClock();
  const rbac = { group: RBAC_GROUP };
  const resources = [
    fakeResource("Role", rbac),
    fakeResource("ClusterRole", { ...rbac, namespaced: false }),
    fakeResource("RoleBinding", rbac),
    fakeResource("ClusterRoleBinding", { ...rbac, namespaced: false }),
    ...["ServiceAccount", "Pod", "Secret"].map((kind) => fakeResource(kind)),
    fakeResource("Node", { namespaced: false }),
  ];
  return { cluster: new FakeCluster(clock, resources), clock };
}

const rbacObject = (kind: string, name: string, namespace: string): KubeObject => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind,
  metadata: { name, ...(namespace !== "" && { namespace }) },
});

/** A Role, or with namespace "" a ClusterRole. */
export function role(namespace: string, name: string, rules: PolicyRule[]): KubeObject {
  return { ...rbacObject(namespace === "" ? "ClusterRole" : "Role", name, namespace), rules };
}

/** A RoleBinding, or with namespace "" a ClusterRoleBinding. `ref` is `Role/x`, subjects are `User/x`, `Group/x`. */
export function binding(namespace: string, name: string, ref: string, ...subjects: string[]): KubeObject {
  const named = (text: string): { kind: string; name: string } => {
    const [kind = "", ...rest] = text.split("/");
    return { kind, name: rest.join("/") };
  };
  return {
    ...rbacObject(namespace === "" ? "ClusterRoleBinding" : "RoleBinding", name, namespace),
    roleRef: { apiGroup: RBAC_GROUP, ...named(ref) },
    subjects: subjects.map(named),
  };
}

/** Stores RBAC objects. */
export async function put(cluster: FakeCluster, ...objects: KubeObject[]): Promise<void> {
  for (const object of objects) {
    const resource = RESOURCE_OF[object.kind];
    if (resource) await cluster.create(resource, object);
  }
}

export const alice: UserInfo = { username: "alice", uid: "2", groups: ["devs", "system:authenticated"] };

export function writeContext(cluster: FakeCluster, user: UserInfo, namespace: string, now: number): WriteContext {
  return { cluster, user, namespace, version: "v1", dryRun: false, now, warn: () => {} };
}
