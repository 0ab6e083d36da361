import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

/** What makes versions takes a token, and must have one. */
const REPEATABLE = [
  "CancelRotateSecret",
  "CreateSecret",
  "DeleteResourcePolicy",
  "DeleteSecret",
  "DescribeSecret",
  "GetResourcePolicy",
  "GetSecretValue",
  "ListSecrets",
  "PutResourcePolicy",
  "PutSecretValue",
  "RestoreSecret",
  "RotateSecret",
  "TagResource",
  "UntagResource",
  "UpdateSecret",
  "UpdateSecretVersionStage",
] as const;

/** Secrets Manager: each operation as a function. */
export function secretsmanagerCalls(call: Caller) {
  return serviceCalls<Operations, (typeof REPEATABLE)[number]>(call, "secretsmanager", {
    repeatable: REPEATABLE,
    once: [],
  });
}

/** {@inheritDoc secretsmanagerCalls} */
export type SecretsmanagerCalls = ReturnType<typeof secretsmanagerCalls>;
