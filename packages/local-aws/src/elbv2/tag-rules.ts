import type { Tag } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Tags } from "./records.ts";
import { invalid } from "./refusals.ts";

const MOST = 50;

/** The tags of a resource after some were added. Refuses keys that AWS does. */
export function withTags(before: Tags, added: readonly Tag[]): Tags {
  const next = new Map(before);
  const named = new Set<string>();
  for (const { Key: key, Value: value = "" } of added) {
    if (named.has(key)) throw new AwsError("DuplicateTagKeys", `Tag key '${key}' was specified more than once`);
    named.add(key);
    if (key.length < 1 || key.length > 128) throw invalid(`Tag key must have a length of 1 to 128 characters`);
    if (value.length > 256) throw invalid(`Tag value must have a length of at most 256 characters`);
    if (key.toLowerCase().startsWith("aws:")) throw invalid(`Tag keys cannot begin with 'aws:'`);
    next.set(key, value);
  }
  if (next.size > MOST) throw new AwsError("TooManyTags", `A resource can have at most ${MOST} tags`);
  return [...next];
}
