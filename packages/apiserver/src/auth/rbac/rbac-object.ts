import type { GroupResource, KubeObject, PolicyRule } from "@gatewright/kube";
import { struct, structs, text, texts } from "../../resources/object-fields.ts";

export const RBAC_GROUP = "rbac.authorization.k8s.io";

const rbac = (resource: string): GroupResource => ({ group: RBAC_GROUP, resource });
export const ROLES = rbac("roles");
export const CLUSTER_ROLES = rbac("clusterroles");
export const ROLE_BINDINGS = rbac("rolebindings");
export const CLUSTER_ROLE_BINDINGS = rbac("clusterrolebindings");

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: KubeObject): PolicyRule[] {
  return structs(role, "rules").map((rule) => {
    const made: PolicyRule = { verbs: [...texts(rule, "verbs")] };
    for (const field of ["apiGroups", "resources", "resourceNames", "nonResourceURLs"] as const) {
      if (Object.hasOwn(rule, field)) made[field] = [...texts(rule, field)];
    }
    return made;
  });
}

export function roleRefOf(binding: KubeObject): RoleRef {
  const ref = struct(binding, "roleRef");
  return { kind: text(ref, "kind"), name: text(ref, "name") };
}

export function subjectsOf(binding: KubeObject): Subject[] {
  return structs(binding, "subjects").map((subject) => ({
    kind: text(subject, "kind"),
    name: text(subject, "name"),
    namespace: text(subject, "namespace"),
  }));
}
