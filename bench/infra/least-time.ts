import { AWS_LIMITS, bucketsOf } from "@gatewright/local-aws";
import type { JournalEntry, LimitTable } from "@gatewright/local-aws";

/** The operator always says what it looks for. */
const FILTERED = { MaxResults: 1 };

/** Seconds that these calls take at least when their account lets so many through in a second: those of the bucket that is slowest. */
export function leastSeconds(calls: readonly JournalEntry[], table: LimitTable = AWS_LIMITS): number {
  const taken = new Map<string, { tokens: number; seconds: number }>();
  for (const { service, operation } of calls) {
    const limits = table[service as keyof LimitTable];
    for (const { name, apart, capacity, refill } of limits ? bucketsOf(limits, operation, FILTERED) : []) {
      const key = `${service}/${name}${apart === true ? `/${operation}` : ""}`;
      const tokens = (taken.get(key)?.tokens ?? 0) + 1;
      taken.set(key, { tokens, seconds: Math.max(0, tokens - capacity) / refill });
    }
  }
  return Math.max(0, ...[...taken.values()].map(({ seconds }) => seconds));
}
