import { hash } from "node:crypto";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import { queryValue } from "../exchange/query-value.ts";
import type { Around } from "./around.ts";
import { RateLimitBuckets } from "./rate-limit-buckets.ts";

/** The field `rateLimit` of routes and backends. */
export interface RateLimitSpec {
  readonly enabled: boolean;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly perClient?: boolean;
  readonly key?: { readonly header?: string; readonly query?: string; readonly claim?: string };
  readonly store?: string;
}

/** How many clients or keys one limit remembers. */
const MAX_KEYS = 100_000;

/** Longer values count by their digest, as clients choose them: many times the length of a head would be a lot of memory. */
const LONG = 64;

/**
 * Answers 429 to what is more than a route lets through. With `key.claim` it has to stand after authentication; requests without the
 * key share one limit, or have one for each client with `perClient`.
 */
export function rateLimitFilter(spec: RateLimitSpec, around: Around): Filter {
  noteStore(spec, "spec.rateLimit", around);
  const { clock } = around;
  const buckets = keptBuckets(spec, around.kept, around.routeId);
  const keyOf = limitKey(spec);
  return {
    name: "rateLimit",
    request(call) {
      const verdict = buckets.ask(keyOf(call), clock.monotonic());
      if (verdict.allowed) return undefined;
      const seconds = String(Math.max(1, Math.ceil(verdict.retryAfterMs / 1000)));
      return localAnswer(
        429,
        "rate_limited",
        "too many requests",
        new Fields([
          "retry-after",
          seconds,
          "x-ratelimit-limit",
          String(Math.ceil(spec.requestsPerSecond)),
          "x-ratelimit-remaining",
          "0",
          "x-ratelimit-reset",
          seconds,
        ]),
      );
    },
  };
}

/** Whether the limit tells requests apart by what only authentication knows. */
export function needsIdentity(spec: RateLimitSpec): boolean {
  return spec.key?.claim !== undefined;
}

/** The counts of a limit: those from before as long as rate and burst are the same. */
export function keptBuckets(spec: RateLimitSpec, kept: Around["kept"], name: string): RateLimitBuckets {
  const { requestsPerSecond, burst, perClient, key } = spec;
  return kept.of("rateLimit", name, { requestsPerSecond, burst, perClient, key }, () => ({
    state: new RateLimitBuckets({ perSecond: requestsPerSecond, burst }, MAX_KEYS),
  }));
}

/** Tells requests apart as the limit says. */
export function limitKey({ key, perClient }: RateLimitSpec): (call: Call) => string {
  const otherwise = perClient === true ? (call: Call) => `a ${call.clientAddress}` : () => "";
  const valueOf = keyValue(key);
  if (valueOf === undefined) return otherwise;
  return (call) => {
    const value = valueOf(call);
    if (value === undefined) return otherwise(call);
    return value.length <= LONG ? `k ${value}` : `h ${hash("sha256", value, "base64")}`;
  };
}

function keyValue(key: RateLimitSpec["key"]): ((call: Call) => string | undefined) | undefined {
  const { header, query, claim } = key ?? {};
  if (header !== undefined) {
    const name = header.toLowerCase();
    return (call) => call.head.fields.get(name);
  }
  if (query !== undefined) return (call) => queryValue(call.query, query);
  if (claim === undefined) return undefined;
  return (call) => {
    const value = call.identity?.claims.get(claim);
    return value === undefined ? undefined : JSON.stringify(value);
  };
}

/** Says that counts are not shared where they are asked to be. */
export function noteStore(spec: RateLimitSpec, field: string, around: Pick<Around, "note">): void {
  if (spec.store !== "redis") return;
  around.note({
    field: `${field}.store`,
    message: "redis is not supported here: this gateway counts in its own memory",
    severity: "warning",
  });
}
