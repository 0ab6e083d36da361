import { deepClone } from "@gatewright/kube";
import type { Json, KubeObject, PolicyRule } from "@gatewright/kube";
import { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from "../user.ts";
import { aggregatedRules } from "./aggregated-rules.ts";
import {
  adminRules,
  authDelegatorRules,
  basicUserRules,
  clusterAdminRules,
  discoveryRules,
  editRules,
  issuerDiscoveryRules,
  publicInfoRules,
  viewRules,
} from "./bootstrap-rules.ts";
import { RBAC_GROUP } from "./rbac-object.ts";

const API_VERSION = `${RBAC_GROUP}/v1`;
type Level = "admin" | "edit" | "view";

const aggregateTo = (level: Level): Record<string, string> => ({ [`${RBAC_GROUP}/aggregate-to-${level}`]: "true" });

function bootstrapped(kind: string, name: string, labels: Record<string, string>): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind,
    metadata: {
      name,
      labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
      annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
    },
  };
}

function clusterRole(name: string, rules: readonly PolicyRule[], labels: Record<string, string> = {}): KubeObject {
  return { ...bootstrapped("ClusterRole", name, labels), rules: deepClone(rules as unknown as Json) };
}

/** A role whose rules are those of all roles with the label of its level. */
function aggregatedRole(level: Level, labels: Record<string, string> = {}): KubeObject {
  return {
    ...clusterRole(level, [], labels),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(level) }] },
  };
}

function clusterRoleBinding(name: string, ...groups: string[]): KubeObject {
  return {
    ...bootstrapped("ClusterRoleBinding", name, {}),
    subjects: groups.map((group) => ({ kind: "Group", apiGroup: RBAC_GROUP, name: group })),
    roleRef: { apiGroup: RBAC_GROUP, kind: "ClusterRole", name },
  };
}

/**
 * The ClusterRoles and bindings that a cluster is born with. Create those that are missing at start-up. The aggregated ones
 * come with their rules filled in, so that they are right before the aggregation runs.
 */
export function bootstrapRbac(): KubeObject[] {
  const roles = [
    clusterRole("cluster-admin", clusterAdminRules),
    clusterRole("system:aggregate-to-admin", adminRules, aggregateTo("admin")),
    clusterRole("system:aggregate-to-edit", editRules, aggregateTo("edit")),
    clusterRole("system:aggregate-to-view", viewRules, aggregateTo("view")),
    aggregatedRole("view", aggregateTo("edit")),
    aggregatedRole("edit", aggregateTo("admin")),
    aggregatedRole("admin"),
    clusterRole("system:discovery", discoveryRules),
    clusterRole("system:basic-user", basicUserRules),
    clusterRole("system:public-info-viewer", publicInfoRules),
    clusterRole("system:auth-delegator", authDelegatorRules),
    clusterRole("system:service-account-issuer-discovery", issuerDiscoveryRules),
  ];
  // In this order each level finds the rules of the one below it.
  for (const role of roles) {
    const rules = aggregatedRules(role, roles);
    if (rules) role["rules"] = rules as Json;
  }
  return [
    ...roles,
    clusterRoleBinding("cluster-admin", MASTERS),
    clusterRoleBinding("system:discovery", AUTHENTICATED),
    clusterRoleBinding("system:basic-user", AUTHENTICATED),
    clusterRoleBinding("system:public-info-viewer", AUTHENTICATED, UNAUTHENTICATED),
    clusterRoleBinding("system:service-account-issuer-discovery", "system:serviceaccounts"),
  ];
}
