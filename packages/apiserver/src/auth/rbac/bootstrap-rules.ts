import type { PolicyRule } from "@gatewright/kube";

const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];
const ALL = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

const rule = (verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]): PolicyRule => ({
  verbs: [...verbs],
  apiGroups: [...apiGroups],
  resources: [...resources],
});
const paths = (...nonResourceURLs: string[]): PolicyRule => ({ verbs: ["get"], nonResourceURLs });

/** Anything, anywhere. */
export const clusterAdminRules: readonly PolicyRule[] = [
  rule(["*"], ["*"], ["*"]),
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Reading of what a namespace runs, except what holds secrets or grants rights. */
export const viewRules: readonly PolicyRule[] = [
  rule(
    READ,
    [""],
    [
      "configmaps",
      "endpoints",
      "persistentvolumeclaims",
      "persistentvolumeclaims/status",
      "pods",
      "serviceaccounts",
      "services",
      "services/status",
    ],
  ),
  rule(
    READ,
    [""],
    [
      "bindings",
      "limitranges",
      "namespaces/status",
      "pods/log",
      "pods/status",
      "resourcequotas",
      "resourcequotas/status",
    ],
  ),
  rule(READ, [""], ["namespaces"]),
  rule(READ, ["", "events.k8s.io"], ["events"]),
  rule(READ, ["discovery.k8s.io"], ["endpointslices"]),
  rule(
    READ,
    ["apps"],
    [
      "controllerrevisions",
      "daemonsets",
      "daemonsets/status",
      "deployments",
      "deployments/scale",
      "deployments/status",
      "replicasets",
      "replicasets/scale",
      "replicasets/status",
      "statefulsets",
      "statefulsets/scale",
      "statefulsets/status",
    ],
  ),
  rule(READ, ["autoscaling"], ["horizontalpodautoscalers", "horizontalpodautoscalers/status"]),
  rule(READ, ["batch"], ["cronjobs", "cronjobs/status", "jobs", "jobs/status"]),
  rule(READ, ["policy"], ["poddisruptionbudgets", "poddisruptionbudgets/status"]),
  rule(READ, ["networking.k8s.io"], ["ingresses", "ingresses/status", "networkpolicies"]),
];

/** Writing of what a namespace runs. Includes acting as its service accounts, which can be more than one's own rights. */
export const editRules: readonly PolicyRule[] = [
  rule(READ, [""], ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"]),
  rule(["impersonate"], [""], ["serviceaccounts"]),
  rule(WRITE, [""], ["pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"]),
  rule(["create"], [""], ["pods/eviction"]),
  rule(
    WRITE,
    [""],
    ["configmaps", "persistentvolumeclaims", "secrets", "serviceaccounts", "services", "services/proxy"],
  ),
  rule(["create"], [""], ["serviceaccounts/token"]),
  rule(WRITE, ["", "events.k8s.io"], ["events"]),
  rule(
    WRITE,
    ["apps"],
    [
      "daemonsets",
      "deployments",
      "deployments/rollback",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
  ),
  rule(WRITE, ["autoscaling"], ["horizontalpodautoscalers"]),
  rule(WRITE, ["batch"], ["cronjobs", "jobs"]),
  rule(WRITE, ["policy"], ["poddisruptionbudgets"]),
  rule(WRITE, ["networking.k8s.io"], ["ingresses", "networkpolicies"]),
  rule(ALL, ["coordination.k8s.io"], ["leases"]),
];

/** Granting of rights within a namespace. */
export const adminRules: readonly PolicyRule[] = [
  rule(["create"], ["authorization.k8s.io"], ["localsubjectaccessreviews"]),
  rule(ALL, ["rbac.authorization.k8s.io"], ["rolebindings", "roles"]),
];

export const discoveryRules: readonly PolicyRule[] = [
  paths(
    "/api",
    "/api/*",
    "/apis",
    "/apis/*",
    "/healthz",
    "/livez",
    "/openapi",
    "/openapi/*",
    "/readyz",
    "/version",
    "/version/",
  ),
];

/** Asking about oneself. */
export const basicUserRules: readonly PolicyRule[] = [
  rule(["create"], ["authorization.k8s.io"], ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
  rule(["create"], ["authentication.k8s.io"], ["selfsubjectreviews"]),
];

export const publicInfoRules: readonly PolicyRule[] = [paths("/healthz", "/livez", "/readyz", "/version", "/version/")];

/** For servers that ask this one who their callers are and what those may do. */
export const authDelegatorRules: readonly PolicyRule[] = [
  rule(["create"], ["authentication.k8s.io"], ["tokenreviews"]),
  rule(["create"], ["authorization.k8s.io"], ["subjectaccessreviews"]),
];

export const issuerDiscoveryRules: readonly PolicyRule[] = [
  paths(
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/",
    "/openid/v1/jwks",
    "/openid/v1/jwks/",
  ),
];
