import type { Tag } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import type { Pairs } from "./records.ts";
import { invalidArgument } from "./refusals.ts";

const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const MOST = { bucket: 50, object: 10 };

/** The tags of a whole set, checked as S3 does. */
export function tagPairs(tags: readonly Tag[], owner: "bucket" | "object"): Pairs {
  if (tags.length > MOST[owner]) {
    throw new AwsError(
      "BadRequest",
      `${owner === "bucket" ? "Bucket" : "Object"} tag count cannot be greater than ${MOST[owner]}`,
    );
  }
  const seen = new Set<string>();
  for (const { Key: key, Value: value } of tags) {
    if (seen.has(key)) throw invalidTag("Cannot provide multiple Tags with the same key", key);
    seen.add(key);
    if (key.toLowerCase().startsWith("aws:")) {
      throw invalidTag("System tags cannot be added/updated by requester", key);
    }
    if (key === "" || key.length > 128 || !ALLOWED.test(key)) {
      throw invalidTag("The TagKey you have provided is invalid", key);
    }
    if (value.length > 256 || !ALLOWED.test(value)) throw invalidTag("The TagValue you have provided is invalid", key);
  }
  return tags.map(({ Key: key, Value: value }) => [key, value] as const);
}

/** Tags as a header tells them: `a=1&b=2`. */
export function tagsOfHeader(header: string | undefined): Pairs {
  if (header === undefined || header === "") return [];
  const tags = [...new URLSearchParams(header)].map(([Key, Value]) => ({ Key, Value }));
  if (new Set(tags.map(({ Key }) => Key)).size < tags.length) {
    throw invalidArgument(
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
      "x-amz-tagging",
      header,
    );
  }
  return tagPairs(tags, "object");
}

export function tagSet(tags: Pairs): readonly Tag[] {
  return tags.map(([Key, Value]) => ({ Key, Value }));
}

function invalidTag(message: string, key: string): AwsError {
  return new AwsError("InvalidTag", message, { details: { TagKey: key } });
}
