import type { JsonObject, Json } from "@gatewright/kube";
import type { admissionregistration } from "@gatewright/kube/api";
import { HostnameGrant } from "@gatewright/resources";
import { hostnamePolicies } from "./hostname-policies.ts";
import { namespaceIs } from "./matching.ts";
import { operatorPolicies } from "./operator-policies.ts";
import { GRANT_NAME } from "./policy-settings.ts";
import type { PolicySettings } from "./policy-settings.ts";

const GRANT_VERSION = `${HostnameGrant.group}/${HostnameGrant.version}`;

/** Kyverno asks for the grant itself: where there is none, none is granted. */
const GRANTED: readonly admissionregistration.Variable[] = [
  {
    name: "grants",
    expression: `resource.List("${GRANT_VERSION}", "${HostnameGrant.plural}", request.namespace).items.filter(g, g.metadata.name == "${GRANT_NAME}")`,
  },
  { name: "granted", expression: "variables.grants.size() > 0 ? variables.grants[0].spec.hostnames : []" },
];

/**
 * The same as ValidatingPolicies of Kyverno (1.17 or newer), with the right to read grants that its admission controller needs. They
 * need no label on namespaces. Kyverno's webhooks must fail closed, as they do unless told otherwise.
 */
export function kyvernoPolicies(settings: PolicySettings): readonly JsonObject[] {
  const [granted] = hostnamePolicies(settings);
  const own = operatorPolicies(settings).map(({ policy }) => policyOf(policy.metadata.name, policy.spec));
  const { paramKind: _, variables = [], matchConstraints, ...rest } = granted!.policy.spec ?? {};
  const spec = {
    ...rest,
    matchConstraints: {
      ...matchConstraints,
      namespaceSelector: { matchExpressions: [namespaceIs("NotIn", settings.edgeNamespace)] },
    },
    variables: variables.flatMap((each) => (each.name === "granted" ? GRANTED : [each])),
  };
  return [readsGrants(), policyOf(granted!.policy.metadata.name, spec), ...own];
}

function policyOf(name = "", spec: admissionregistration.ValidatingAdmissionPolicySpec = {}): JsonObject {
  return {
    apiVersion: "policies.kyverno.io/v1",
    kind: "ValidatingPolicy",
    metadata: { name },
    spec: {
      validationActions: ["Deny"],
      // Who wrote an object is not known when objects that are there are looked at again.
      evaluation: { admission: { enabled: true }, background: { enabled: false } },
      ...(spec as unknown as Record<string, Json>),
    },
  };
}

function readsGrants(): JsonObject {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: {
      name: "kyverno:hostname-grants.gateway.opendi.com",
      labels: { "rbac.kyverno.io/aggregate-to-admission-controller": "true" },
    },
    rules: [{ apiGroups: [HostnameGrant.group], resources: [HostnameGrant.plural], verbs: ["get", "list", "watch"] }],
  };
}
