import type { ServiceName } from "@gatewright/aws-wire";
import type { Clock } from "@gatewright/ports";
import type { CallBudgets, CallRequest } from "../caller.ts";
import { STANDARD_RATES } from "./call-rates.ts";
import type { CallRate, CallRates } from "./call-rates.ts";
import { TokenBucket } from "./token-bucket.ts";

/**
 * Holds calls back until the account's rates allow them, so that AWS need not throttle. All who share an account share one of these.
 * Calls about different hosted zones wait side by side: a zone with much to change delays no other.
 */
export function createBudgets(clock: Clock, rates: CallRates = STANDARD_RATES): CallBudgets {
  const buckets = new Map<CallRate, TokenBucket>();
  const bucketOf = (rate: CallRate): TokenBucket => {
    const bucket = buckets.get(rate) ?? new TokenBucket(clock, rate);
    buckets.set(rate, bucket);
    return bucket;
  };
  const ratesOf = ({ service, operation }: CallRequest): readonly CallRate[] =>
    (rates[service satisfies ServiceName] ?? []).filter(({ operations }) => operations?.includes(operation) ?? true);
  return {
    async take(call, signal) {
      for (const rate of ratesOf(call)) {
        await bucketOf(rate).take(rate.cost === undefined ? 1 : recordChanges(call.input), flowOf(call), signal);
      }
    },
  };
}

function flowOf({ operation, input }: CallRequest): string {
  const { HostedZoneId } = input as { readonly HostedZoneId?: string };
  return HostedZoneId === undefined ? operation : `${operation} ${HostedZoneId}`;
}

/** Route 53 writes an UPSERT as two changes. */
function recordChanges(input: object): number {
  const { ChangeBatch } = input as {
    readonly ChangeBatch?: { readonly Changes?: readonly { readonly Action?: string }[] };
  };
  return (ChangeBatch?.Changes ?? []).reduce((sum, { Action }) => sum + (Action === "UPSERT" ? 2 : 1), 0);
}
