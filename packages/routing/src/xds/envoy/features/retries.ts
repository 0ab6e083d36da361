import { specMs } from "@gatewright/gateway/rows";
import type { RetriesSpec } from "@gatewright/gateway/rows";
import { PreviousHostsPredicateSchema } from "@gatewright/gateway-wire/xds";
import type { RetryPolicySchema } from "@gatewright/gateway-wire/xds";
import { durationOf, packed } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";
import type { Init } from "../packed.ts";

type RetryPolicyInit = Init<typeof RetryPolicySchema>;

/** What no backend can have seen is tried once more in any case. */
const UNSEEN = "connect-failure,refused-stream";
const BASE_MS = 25;
const BUDGET_PERCENT = 20;
const HOST_ATTEMPTS = 5n;

/** Conditions by our names, as Envoy calls them. */
const CONDITIONS: ReadonlyMap<string, string> = new Map([
  ["5xx", "5xx"],
  ["gateway-error", "gateway-error"],
  ["reset", "reset"],
  ["connect-failure", "connect-failure"],
  ["refused-stream", "refused-stream"],
  ["retriable-4xx", "retriable-4xx"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["deadline-exceeded", "deadline-exceeded"],
  ["internal", "internal"],
  ["resource-exhausted", "resource-exhausted"],
  ["unavailable", "unavailable"],
]);

/** What a route's requests are tried again for. Another host is tried where there is one. */
export function retryPolicy(spec: RetriesSpec | undefined, draft: RouteDraft): RetryPolicyInit {
  const elsewhere: RetryPolicyInit = {
    retryHostPredicate: [
      {
        name: "envoy.retry_host_predicates.previous_hosts",
        configType: { case: "typedConfig", value: packed(PreviousHostsPredicateSchema, {}) },
      },
    ],
    hostSelectionRetryMaxAttempts: HOST_ATTEMPTS,
  };
  if (spec === undefined) return { ...elsewhere, retryOn: UNSEEN, numRetries: 1 };
  const words = (spec.retryOn ?? "")
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
  const conditions = new Set<string>();
  const statuses = new Set<number>();
  for (const word of words) {
    const known = CONDITIONS.get(word);
    if (known !== undefined) conditions.add(known);
    else if (/^[1-5]\d\d$/u.test(word)) statuses.add(Number(word));
    else draft.lacks("retries.retryOn", `${/^[a-z0-9-]{1,64}$/u.test(word) ? word : "a condition"} has no effect`);
  }
  if (words.length === 0)
    draft.lacks("retries.retryOn", "without it only requests that no backend has seen are tried again");
  if (spec.budgetPercent !== undefined && spec.budgetPercent !== BUDGET_PERCENT)
    draft.lacks("retries.budgetPercent", `is ${BUDGET_PERCENT} for each backend`);
  if (statuses.size > 0) conditions.add("retriable-status-codes");
  const perTryMs = specMs(spec.perTryTimeout);
  const baseMs = Math.max(1, specMs(spec.backoffBaseInterval, BASE_MS));
  return {
    ...elsewhere,
    retryOn: words.length === 0 ? UNSEEN : [...conditions].join(","),
    numRetries: spec.attempts,
    retriableStatusCodes: [...statuses],
    ...(perTryMs !== undefined && { perTryTimeout: durationOf(perTryMs) }),
    retryBackOff: {
      baseInterval: durationOf(baseMs),
      maxInterval: durationOf(Math.max(baseMs, specMs(spec.backoffMaxInterval, 10 * baseMs))),
    },
  };
}
