import type { BucketRule, ServiceLimits } from "./service-limits.ts";

/** The buckets that a call takes from. Exact names of operations and beginnings of names both count. */
export function bucketsOf({ buckets }: ServiceLimits, operation: string, input: object): readonly BucketRule[] {
  const named = buckets.filter(
    ({ operations }) => typeof operations !== "string" && operations.some((word) => beginsWithWord(operation, word)),
  );
  const special = named.filter(({ only }) => only === "unfiltered" && isUnfiltered(input));
  if (special.length > 0) return special;
  return buckets.filter(
    (bucket) =>
      bucket.only === undefined &&
      (bucket.operations === "all" || named.includes(bucket) || (bucket.operations === "rest" && named.length === 0)),
  );
}

/** Whether a call says neither what it looks for nor how much of it. */
function isUnfiltered(input: object): boolean {
  return !Object.entries(input).some(([name, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && /^(?:MaxResults|NextToken)$/.test(name),
  );
}

/** `DescribeTags` begins with the word `Describe`, but `DeleteBucketCors` is not a kind of `DeleteBucket`. */
function beginsWithWord(operation: string, word: string): boolean {
  return operation === word || (VERBS.has(word) && operation.startsWith(word));
}

const VERBS: ReadonlySet<string> = new Set(["Describe", "List", "Get", "Modify", "Create", "Delete", "Put"]);
