import type { BucketRule } from "./service-limits.ts";

/** How many tokens a call takes from a bucket. */
export function callCost({ cost }: BucketRule, input: object): number {
  return cost === "record changes" ? recordChanges(input) : cost === "instances" ? instanceCount(input) : 1;
}

/** Those that a call launches, or names. */
function instanceCount(input: object): number {
  const { MaxCount, InstanceIds } = input as { readonly MaxCount?: number; readonly InstanceIds?: readonly string[] };
  return Math.max(1, Math.floor(MaxCount ?? InstanceIds?.length ?? 1) || 1);
}

/** Route 53 writes an UPSERT as two changes. */
function recordChanges(input: object): number {
  const { ChangeBatch } = input as {
    readonly ChangeBatch?: { readonly Changes?: readonly { readonly Action?: string }[] };
  };
  return (ChangeBatch?.Changes ?? []).reduce((sum, { Action }) => sum + (Action === "UPSERT" ? 2 : 1), 0);
}
