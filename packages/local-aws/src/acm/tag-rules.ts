import type { Tag } from "@gatewright/aws-wire/types/acm";
import { AwsError } from "../aws-error.ts";
import type { CertificateRecord } from "./records.ts";
import { patternMismatch } from "./refusals.ts";

type Tags = CertificateRecord["tags"];

const MOST = 50;
const PATTERN = "[\\p{L}\\p{Z}\\p{N}_.:\\/=+\\-@]*";
const TEXT = new RegExp(`^${PATTERN}$`, "u");

/** The tags after some were added. Lengths are checked by the model. */
export function withTags(before: Tags, added: readonly Tag[]): Tags {
  const next = new Map(before);
  const named = new Set<string>();
  added.forEach(({ Key: key, Value: value = "" }, i) => {
    if (!TEXT.test(key)) throw patternMismatch(key, `tags.${i + 1}.member.key`, PATTERN);
    if (!TEXT.test(value)) throw patternMismatch(value, `tags.${i + 1}.member.value`, PATTERN);
    if (isReserved(key) || isReserved(value))
      throw invalidTag(`aws: prefixed tag key names are not allowed for external use: ${key}`);
    if (named.has(key)) throw invalidTag(`Duplicate tag keys found: ${key}`);
    named.add(key);
    next.set(key, value);
  });
  if (next.size > MOST) throw new AwsError("TooManyTagsException", `A certificate can have at most ${MOST} tags.`);
  return [...next];
}

/** The tags without some. Where a value is given, only a tag with that value goes. */
export function withoutTags(before: Tags, removed: readonly Tag[]): Tags {
  for (const { Key: key } of removed) {
    if (isReserved(key)) throw invalidTag(`aws: prefixed tag key names are not allowed for external use: ${key}`);
  }
  return before.filter(([key, value]) => !removed.some((tag) => tag.Key === key && (tag.Value ?? value) === value));
}

function isReserved(text: string): boolean {
  return text.toLowerCase().startsWith("aws:");
}

function invalidTag(message: string): AwsError {
  return new AwsError("InvalidTagException", message);
}
