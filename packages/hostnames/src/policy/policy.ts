import { admissionregistration } from "@gatewright/kube/api";

/** A policy and what puts it in force. */
export interface BoundPolicy {
  readonly policy: admissionregistration.ValidatingAdmissionPolicy;
  readonly binding: admissionregistration.ValidatingAdmissionPolicyBinding;
}

export interface PolicyParts {
  readonly name: string;
  readonly spec: Omit<admissionregistration.ValidatingAdmissionPolicySpec, "failurePolicy">;
  readonly binding?: Omit<
    admissionregistration.ValidatingAdmissionPolicyBindingSpec,
    "policyName" | "validationActions"
  >;
}

const labels = { "app.kubernetes.io/managed-by": "gatewright" };

/** A policy that refuses, also when it cannot be evaluated, with the binding of the same name. */
export function policy({ name, spec, binding }: PolicyParts): BoundPolicy {
  const { ValidatingAdmissionPolicy: Policy, ValidatingAdmissionPolicyBinding: Binding } = admissionregistration;
  const apiVersion = `${Policy.group}/${Policy.version}`;
  return {
    policy: { apiVersion, kind: Policy.kind, metadata: { name, labels }, spec: { failurePolicy: "Fail", ...spec } },
    binding: {
      apiVersion,
      kind: Binding.kind,
      metadata: { name, labels },
      spec: { policyName: name, validationActions: ["Deny"], ...binding },
    },
  };
}
