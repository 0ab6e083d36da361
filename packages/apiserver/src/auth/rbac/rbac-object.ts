import { isObject } from "@gatewright/kube";
import type { GroupResource, Json, KubeObject, PolicyRule } from "@gatewright/kube";

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

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const texts = (value: Json | undefined): string[] | undefined => (Array.isArray(value) ? value.map(text) : undefined);

/** The rules of a Role or ClusterRole. What is not well-formed grants nothing. */
export function rulesOf(role: KubeObject): PolicyRule[] {
  if (!Array.isArray(role["rules"])) return [];
  return role["rules"].filter(isObject).map((rule) => {
    const made: PolicyRule = { verbs: texts(rule["verbs"]) ?? [] };
    for (const field of ["apiGroups", "resources", "resourceNames", "nonResourceURLs"] as const) {
      const list = texts(rule[field]);
      if (list) made[field] = list;
    }
    return made;
  });
}

export function roleRefOf(binding: KubeObject): RoleRef {
  const ref = isObject(binding["roleRef"]) ? binding["roleRef"] : {};
  return { kind: text(ref["kind"]), name: text(ref["name"]) };
}

export function subjectsOf(binding: KubeObject): Subject[] {
  if (!Array.isArray(binding["subjects"])) return [];
  return binding["subjects"].filter(isObject).map((subject) => ({
    kind: text(subject["kind"]),
    name: text(subject["name"]),
    namespace: text(subject["namespace"]),
  }));
}
