export { iamPolicy } from "./iam/iam-policy.ts";
export type { IamPolicy, IamPolicyOptions, IamStatement } from "./iam/iam-policy.ts";
export { DEFAULT_SETTINGS } from "./settings.ts";
export type { HostnameSettings } from "./settings.ts";
