import type { Tag } from "@gatewright/aws-wire/types/dynamodb";
import type { Pairs } from "./records.ts";
import { invalid } from "./refusals.ts";

const MOST = 50;

/** The tags of a table after some were added. Refuses what DynamoDB does. */
export function withTags(before: Pairs, added: readonly Tag[]): Pairs {
  const next = new Map(before);
  for (const { Key: key, Value: value } of added) {
    if (key.toLowerCase().startsWith("aws:")) {
      throw invalid(`One or more parameter values were invalid: Reserved tag key prefix: ${key.slice(0, 64)}`);
    }
    next.set(key, value);
  }
  if (next.size > MOST)
    throw invalid(`One or more parameter values were invalid: Number of tags exceeds the limit of ${MOST}`);
  return [...next];
}
