import type { admissionregistration } from "@gatewright/kube/api";

type Rule = admissionregistration.NamedRuleWithOperations;

/** Kinds that say which hostnames lead where. All versions of them, also those that a cluster does not have. */
export const HOSTNAME_RULES: readonly Rule[] = [
  {
    apiGroups: ["gateway.networking.k8s.io"],
    apiVersions: ["*"],
    operations: ["CREATE", "UPDATE"],
    resources: ["gateways", "grpcroutes", "httproutes", "listenersets", "tlsroutes"],
  },
  {
    apiGroups: ["gateway.networking.x-k8s.io"],
    apiVersions: ["*"],
    operations: ["CREATE", "UPDATE"],
    resources: ["xlistenersets"],
  },
];

/** The label that Kubernetes puts on each namespace: its name. */
const NAME_LABEL = "kubernetes.io/metadata.name";

/** Selects a namespace, or all but it. */
export const namespaceIs = (operator: "In" | "NotIn", namespace: string) => ({
  key: NAME_LABEL,
  operator,
  values: [namespace],
});
