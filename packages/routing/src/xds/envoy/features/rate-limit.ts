import type { RateLimitSpec } from "@gatewright/gateway/rows";
import {
  HeaderValueOption_HeaderAppendAction,
  LocalRateLimitSchema,
  FractionalPercent_DenominatorType,
  StatusCode,
} from "@gatewright/gateway-wire/xds";
import type { RouteActionSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { durationOf, packed } from "../packed.ts";
import type { Init } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

/** Envoy fills its buckets no more often. */
const LEAST_FILL_MS = 50;
const MOST_KEYS = 100_000;
const ALWAYS = { defaultValue: { numerator: 100, denominator: FractionalPercent_DenominatorType.HUNDRED } };

/** How a request is told apart from others: for `RouteAction.rate_limits`. */
export type RateLimits = NonNullable<Init<typeof RouteActionSchema>["rateLimits"]>;

/** Limits a route. What is returned has to be said by its action, which knows how requests are told apart. */
export function rateLimit(spec: RateLimitSpec, draft: RouteDraft): RateLimits {
  if (!spec.enabled) return [];
  if (spec.store === "redis") draft.lacks("rateLimit.store", "each Envoy counts by itself");
  if (spec.key?.query !== undefined || spec.key?.claim !== undefined) {
    draft.close("rateLimit.key", "requests are told apart by header or client only");
    return [];
  }
  const keys = keysOf(spec);
  const bucket = bucketOf(spec);
  draft.filters.set(
    FILTERS.rateLimit,
    packed(LocalRateLimitSchema, {
      ...limitBasics(spec),
      ...(keys.length > 0 && {
        descriptors: keys.map(({ key }) => ({ entries: [{ key, value: "" }], tokenBucket: bucket })),
        alwaysConsumeDefaultTokenBucket: false,
        maxDynamicDescriptors: MOST_KEYS,
      }),
    }),
  );
  return keys.map(({ action }) => ({ actions: [{ actionSpecifier: action }] }));
}

/** What a limit says wherever it stands. */
function limitBasics(spec: RateLimitSpec): Init<typeof LocalRateLimitSchema> {
  const seconds = String(Math.max(1, Math.ceil(1 / spec.requestsPerSecond)));
  return {
    statPrefix: "rate_limit",
    status: { code: StatusCode.TooManyRequests },
    tokenBucket: bucketOf(spec),
    filterEnabled: ALWAYS,
    filterEnforced: ALWAYS,
    rateLimitedAsResourceExhausted: true,
    responseHeadersToAdd: [
      {
        header: { key: "retry-after", value: seconds },
        appendAction: HeaderValueOption_HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD,
      },
    ],
  };
}

function bucketOf({ requestsPerSecond, burst }: RateLimitSpec) {
  const tokensPerFill = Math.max(1, Math.ceil((requestsPerSecond * LEAST_FILL_MS) / 1000));
  return {
    maxTokens: burst,
    tokensPerFill,
    fillInterval: durationOf(Math.max(LEAST_FILL_MS, Math.round((tokensPerFill * 1000) / requestsPerSecond))),
  };
}

/** A header first; requests without it share one limit, or have one for each client. */
function keysOf({ key, perClient }: RateLimitSpec) {
  const keys = [];
  if (key?.header !== undefined) {
    const headerName = key.header.toLowerCase();
    const value = { headerName, descriptorKey: "header", skipIfAbsent: false };
    keys.push({ key: "header", action: { case: "requestHeaders", value } as const });
  }
  if (perClient === true && key?.header === undefined)
    keys.push({ key: "remote_address", action: { case: "remoteAddress", value: {} } as const });
  return keys;
}
