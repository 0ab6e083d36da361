import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { duration } from "./plain-fields.ts";

/** When an HTTP request is tried again. */
const HTTP_CONDITIONS = [
  "5xx",
  "gateway-error",
  "reset",
  "connect-failure",
  "refused-stream",
  "retriable-4xx",
  "retriable-status-codes",
  "retriable-headers",
] as const;

/** When a gRPC call is tried again. Both spellings of canceled are in use. */
const GRPC_CONDITIONS = [
  "canceled",
  "cancelled",
  "deadline-exceeded",
  "internal",
  "resource-exhausted",
  "unavailable",
  "unknown",
  "aborted",
  "data-loss",
] as const;

const knownConditions = (known: readonly string[]): Rule => ({
  rule: `self.split(',').all(t, t.trim() in ['', ${known.map((name) => `'${name}'`).join(", ")}])`,
  message: `write a comma-separated list of ${known.join(", ")}`,
});

const retriesWith = (retryOn: string, rules: readonly Rule[]) =>
  s
    .object(
      {
        attempts: s.integer({
          description: "How often a request is tried again at most.",
          minimum: 1,
          maximum: 10,
          default: 3,
        }),
        perTryTimeout: duration("How long each try may take. Default, and 0s: as long as the request."),
        retryOn: s.string({ description: retryOn, maxLength: 1024, rules }).optional(),
        backoffBaseInterval: duration("Longest wait before the first new try; it doubles with each. Default: 25ms."),
        backoffMaxInterval: duration("What the wait never exceeds. Default: ten times the base."),
        budgetPercent: s
          .integer({
            description:
              "How many requests of the route may be retries at the same time, in percent. Default: 20. Not known to gateways of AVAPIGW.",
            minimum: 0,
            maximum: 100,
          })
          .optional(),
      },
      { description: "Tries failed requests again." },
    )
    .optional();

const LIST = "What is tried again: a comma-separated list.";

/** Retries of HTTP requests. */
export const httpRetries = retriesWith(LIST, [knownConditions(HTTP_CONDITIONS)]);

/** Retries of GraphQL requests. Nobody ever checked the conditions; gateways warn of those that they do not know. */
export const graphqlRetries = retriesWith(LIST, []);

/** Retries of gRPC calls. */
export const grpcRetries = retriesWith("Status codes that are tried again: a comma-separated list.", [
  knownConditions(GRPC_CONDITIONS),
]);
