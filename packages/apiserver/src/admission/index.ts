export { createAdmission } from "./chain.ts";
export { validateMatchConditions } from "./expressions/validate-match-conditions.ts";
export { validatePolicyExpressions } from "./policy/validate-policy-expressions.ts";
export { createWebhookCaller } from "./webhooks/webhook-client.ts";
export type { ServiceResolver, WebhookCaller } from "./webhooks/webhook-client.ts";
