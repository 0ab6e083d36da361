import type { PolicyDescriptorType, Tag } from "@gatewright/aws-wire/types/sts";
import { AwsError } from "../aws-error.ts";
import { isJsonObject } from "../is-json-object.ts";

/** What all policies and tags of a session may have together, packed. */
const LARGEST_PACKED = 4_096;
const MOST_POLICIES = 10;
const TAG_TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Refuses a value that does not look as its model wants. */
export function checkPattern(value: string | undefined, path: string, pattern: RegExp): void {
  if (value === undefined || pattern.test(value)) return;
  throw new AwsError(
    "ValidationError",
    `1 validation error detected: Value '${value.slice(0, 256)}' at '${path}' failed to satisfy constraint: ` +
      `Member must satisfy regular expression pattern: ${pattern.source.slice(1, -1)}`,
  );
}

/** Refuses session tags that IAM does, and gives them by key. */
export function sessionTags(tags: readonly Tag[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const folded = new Set<string>();
  tags.forEach(({ Key: key, Value: value }, i) => {
    checkPattern(key, `tags.${i + 1}.member.key`, TAG_TEXT);
    checkPattern(value, `tags.${i + 1}.member.value`, TAG_TEXT);
    if (key.toLowerCase().startsWith("aws:")) {
      throw new AwsError("InvalidParameterValue", `Tag keys starting with aws: are reserved: ${key}`);
    }
    if (folded.has(key.toLowerCase())) {
      throw new AwsError(
        "InvalidParameterValue",
        "Duplicate tag keys found. Please note that Tag keys are case insensitive.",
      );
    }
    folded.add(key.toLowerCase());
    found.set(key, value);
  });
  return found;
}

/** How much of the room for policies and tags is taken, in percent. Throws when it is more than all, or a policy is none. */
export function packedSize(
  policy: string | undefined,
  policyArns: readonly PolicyDescriptorType[],
  tags: ReadonlyMap<string, string>,
): number | undefined {
  if (policy === undefined && policyArns.length === 0 && tags.size === 0) return undefined;
  if (policy !== undefined && !isJsonObject(policy)) {
    throw new AwsError("MalformedPolicyDocument", "Syntax errors in policy.");
  }
  if (policyArns.length > MOST_POLICIES) {
    throw new AwsError("ValidationError", `A session can have at most ${MOST_POLICIES} managed policies.`);
  }
  const texts = [policy ?? "", ...policyArns.map(({ arn = "" }) => arn), ...[...tags].flat()];
  const percent = Math.ceil((Buffer.byteLength(texts.join("")) * 100) / LARGEST_PACKED);
  if (percent > 100) {
    throw new AwsError(
      "PackedPolicyTooLarge",
      `Serialized token too large for session. Packed size is ${percent}% of the allowed.`,
    );
  }
  return percent;
}
