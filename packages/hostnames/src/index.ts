export { iamPolicy } from "./iam/iam-policy.ts";
export type { IamPolicy, IamPolicyOptions, IamStatement } from "./iam/iam-policy.ts";
export { DEFAULT_SETTINGS } from "./settings.ts";
export type { HostnameSettings } from "./settings.ts";
export { admissionPolicies } from "./policy/policies.ts";
export type { AdmissionPolicies } from "./policy/policies.ts";
export { DEFAULT_POLICY_SETTINGS } from "./policy/policy-settings.ts";
export type { PolicySettings } from "./policy/policy-settings.ts";
