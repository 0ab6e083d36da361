import type { rbac } from "@gatewright/kube/api";
import { core } from "@gatewright/kube/api";
import { rbacFor } from "@gatewright/runtime";
import type { RbacRoles } from "@gatewright/runtime";
import type { Part } from "../part.ts";
import type { InstallSettings } from "./install-settings.ts";
import { accessOfParts, partAccess } from "./part-access.ts";
import type { AccessPart } from "./part-access.ts";

type Role = rbac.ClusterRole | rbac.Role;
type Binding = rbac.ClusterRoleBinding | rbac.RoleBinding;

/** `base`: the Lease and events, which every process needs. */
export type RolePart = AccessPart | "base";

/** The rules of the parts that run, and of none other: with the Lease and events. */
export function operatorRoles(settings: InstallSettings): RbacRoles {
  const { namespace, account, lease, parts } = settings;
  return rbacFor(accessOfParts(settings, parts), { name: account, lease: { namespace, name: lease } });
}

/** The same taken apart: bound together, the roles of parts give what {@link operatorRoles} gives for them. */
export function rolesByPart(settings: InstallSettings): Readonly<Record<RolePart, RbacRoles>> {
  const { namespace, account, lease } = settings;
  const access = partAccess(settings);
  const of = (part: AccessPart): RbacRoles => rbacFor(access[part], { name: `${account}-${part}`, events: false });
  return {
    base: rbacFor([], { name: `${account}-base`, lease: { namespace, name: lease } }),
    hostnames: of("hostnames"),
    infra: of("infra"),
    routing: of("routing"),
    applications: of("applications"),
    expose: of("expose"),
  };
}

/** Which of {@link rolesByPart} some parts need. */
export function rolePartsOf(parts: readonly Part[]): readonly RolePart[] {
  const exposes = parts.includes("applications") && parts.includes("hostnames");
  return ["base", ...parts, ...(exposes ? (["expose"] as const) : [])];
}

/** Gives roles to the operator's service account. */
export function bindingsOf(roles: RbacRoles, { namespace, account }: InstallSettings): readonly Binding[] {
  return rolesIn(roles).map((role): Binding => {
    const { name, namespace: within } = role.metadata;
    return {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: role.kind === "ClusterRole" ? "ClusterRoleBinding" : "RoleBinding",
      metadata: { name, ...(within !== undefined && { namespace: within }) },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: role.kind ?? "", name: name ?? "" },
      subjects: [{ kind: core.ServiceAccount.kind, namespace, name: account }],
    } as Binding;
  });
}

/** All roles, the one for the cluster first. */
export function rolesIn({ clusterRole, roles }: RbacRoles): readonly Role[] {
  return [...(clusterRole === undefined ? [] : [clusterRole]), ...roles];
}
