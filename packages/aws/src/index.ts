export { AwsCallError, isAbsent } from "./aws-call-error.ts";
export type { AwsErrorKind } from "./aws-call-error.ts";
export type { CallerOptions, CredentialSource } from "./caller.ts";
export { createAws } from "./create-aws.ts";
export type { Aws } from "./create-aws.ts";
export { createHttpSend } from "./http-send.ts";
export type { HttpSend } from "./http-send.ts";
export type { Patience } from "./retry-budget.ts";
export { NotSentError } from "./send.ts";
export type { Send } from "./send.ts";
/** What the operations take and give, by service. */
export type * as elbv2 from "@gatewright/aws-wire/types/elbv2";
