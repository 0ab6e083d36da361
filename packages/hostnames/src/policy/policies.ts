import type { admissionregistration } from "@gatewright/kube/api";
import { hostnamePolicies } from "./hostname-policies.ts";
import { operatorPolicies } from "./operator-policies.ts";
import type { PolicySettings } from "./policy-settings.ts";

/** What an API server by itself holds hostnames to grants with, no policy engine needed. */
export interface AdmissionPolicies {
  readonly policies: readonly admissionregistration.ValidatingAdmissionPolicy[];
  readonly bindings: readonly admissionregistration.ValidatingAdmissionPolicyBinding[];
}

/**
 * The policies for a cluster, and the bindings that put them in force. The kinds of ours must be there before: a policy whose
 * parameter's kind is not known refuses all that it selects.
 */
export function admissionPolicies(settings: PolicySettings): AdmissionPolicies {
  const bound = [...hostnamePolicies(settings), ...operatorPolicies(settings)];
  return { policies: bound.map(({ policy }) => policy), bindings: bound.map(({ binding }) => binding) };
}
