import type { AdmissionAttributes } from "../admission.ts";

const CONFIGURATIONS: ReadonlySet<string> = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

/** What configures admission is not subject to it: a bad webhook must not be able to prevent its own removal. */
export function isExempt({ kind }: AdmissionAttributes): boolean {
  return kind.group === "admissionregistration.k8s.io" && CONFIGURATIONS.has(kind.kind);
}

const REVIEWS: ReadonlySet<string> = new Set([
  "TokenReview",
  "SelfSubjectReview",
  "SubjectAccessReview",
  "SelfSubjectAccessReview",
  "LocalSubjectAccessReview",
  "SelfSubjectRulesReview",
]);

/** Policies also leave alone the questions that components ask about tokens and permissions. */
export function isExemptFromPolicies(attributes: AdmissionAttributes): boolean {
  const { group, kind } = attributes.kind;
  const asks = (group === "authentication.k8s.io" || group === "authorization.k8s.io") && REVIEWS.has(kind);
  return asks || isExempt(attributes);
}
