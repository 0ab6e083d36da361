import type { BucketRule, ServiceLimits } from "./service-limits.ts";

/** The buckets that an operation takes from. Exact names and beginnings of names both count. */
export function bucketsOf({ buckets }: ServiceLimits, operation: string): readonly BucketRule[] {
  const named = buckets.filter(
    ({ operations }) => typeof operations !== "string" && operations.some((word) => beginsWithWord(operation, word)),
  );
  return buckets.filter(
    (bucket) =>
      bucket.operations === "all" || named.includes(bucket) || (bucket.operations === "rest" && named.length === 0),
  );
}

/** `DescribeTags` begins with the word `Describe`, but `DeleteBucketCors` is not a kind of `DeleteBucket`. */
function beginsWithWord(operation: string, word: string): boolean {
  return operation === word || (VERBS.has(word) && operation.startsWith(word));
}

const VERBS: ReadonlySet<string> = new Set(["Describe", "List", "Get", "Modify", "Create", "Delete", "Put"]);
