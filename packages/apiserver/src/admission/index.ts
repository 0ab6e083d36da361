export { createAdmission } from "./chain.ts";
export type { AdmissionChain, AdmissionDeps } from "./chain.ts";
export type { AdmissionAttributes, Operation } from "./admission.ts";
export { validateMatchConditions } from "./expressions/validate-match-conditions.ts";
export { validatePolicyExpressions } from "./policy/validate-policy-expressions.ts";
export { WebhookCallError, createWebhookCaller } from "./webhooks/webhook-client.ts";
export type { ServiceResolver, WebhookCaller } from "./webhooks/webhook-client.ts";
