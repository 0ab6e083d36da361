import type { Tag } from "@gatewright/aws-wire/types/iam";
import { AwsError } from "../aws-error.ts";
import type { Pairs } from "./records.ts";
import { invalidInput } from "./refusals.ts";

const MOST = 50;
const TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Tags with others put over them. Keys that differ in case alone are the same to IAM. */
export function withTags(before: Pairs, added: readonly Tag[]): Pairs {
  const next = new Map(before.map(([key, value]) => [key.toLowerCase(), [key, value] as const]));
  const seen = new Set<string>();
  for (const { Key: key, Value: value } of added) {
    const same = key.toLowerCase();
    if (seen.has(same)) {
      throw invalidInput("Duplicate tag keys found. Please note that Tag keys are case insensitive.");
    }
    seen.add(same);
    if (!TEXT.test(key) || !TEXT.test(value))
      throw invalidInput(`The tag ${key} has characters that tags cannot have.`);
    if (same.startsWith("aws:")) throw invalidInput("Tag keys that begin with aws: are reserved.");
    next.set(same, [key, value]);
  }
  if (next.size > MOST) {
    throw new AwsError("LimitExceeded", "The number of tags has reached the maximum limit.", { status: 409 });
  }
  return [...next.values()];
}

export function withoutTags(before: Pairs, keys: readonly string[]): Pairs {
  const gone = new Set(keys.map((key) => key.toLowerCase()));
  return before.filter(([key]) => !gone.has(key.toLowerCase()));
}

export function tagList(tags: Pairs): readonly Tag[] {
  return tags.map(([Key, Value]) => ({ Key, Value }));
}
