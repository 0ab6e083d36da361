import type { InstanceMetadataOptionsResponse, Tag, TagSpecification } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Tags } from "./records.ts";

const MOST_TAGS = 50;
const TELLABLE = /^[0-9a-zA-Z\-_+=,.@:]{1,255}$/;
const RESERVED: ReadonlySet<string> = new Set([".", "..", "_index"]);

/** Tags with others put over them, checked. */
export function withTags(tags: Tags, added: readonly Tag[]): Tags {
  const all = new Map(tags);
  for (const { Key: key = "", Value: value = "" } of added) {
    if (key.toLowerCase().startsWith("aws:")) {
      throw new AwsError(
        "InvalidParameterValue",
        `Value ( ${key} ) for parameter key is invalid. Tag keys starting with 'aws:' are reserved for internal use`,
      );
    }
    if (key === "" || key.length > 127) {
      throw new AwsError("InvalidParameterValue", "Tag keys must be between 1 and 127 characters in length.");
    }
    if (value.length > 255) {
      throw new AwsError("InvalidParameterValue", "Tag value exceeds the maximum length of 255 characters");
    }
    all.set(key, value);
  }
  if (all.size > MOST_TAGS) {
    throw new AwsError("TagLimitExceeded", "The maximum number of Tags for a resource has been reached.");
  }
  return [...all];
}

/** The metadata service tells tags by paths, which not every key can be a part of. */
export function checkTellable({ InstanceMetadataTags: told }: InstanceMetadataOptionsResponse, tags: Tags): void {
  const [key] = told === "enabled" ? (tags.find(([name]) => !TELLABLE.test(name) || RESERVED.has(name)) ?? []) : [];
  if (key === undefined) return;
  throw new AwsError(
    "InvalidParameterValue",
    `'${key}' is not a valid tag key. Tag keys must match pattern ([0-9a-zA-Z\\-_+=,.@:]{1,255}), and must not be a reserved name ('.', '..', '_index')`,
  );
}

/** What a request wants to tag what it makes with, by kind. Refuses kinds that it does not make. */
export function specifiedTags(
  specifications: readonly TagSpecification[] | undefined,
  kinds: readonly string[],
): ReadonlyMap<string, Tags> {
  const tags = new Map<string, Tags>();
  for (const { ResourceType: kind = "", Tags: given = [] } of specifications ?? []) {
    if (!kinds.includes(kind)) {
      throw new AwsError(
        "InvalidParameterValue",
        `'${kind}' is not a valid taggable resource type for this operation.`,
      );
    }
    if (given.length === 0) throw new AwsError("InvalidParameterValue", "Tag specification must have at least one tag");
    const keys = given.map(({ Key }) => Key);
    if (new Set(keys).size < keys.length) {
      throw new AwsError("InvalidParameterValue", "Duplicate tag key specified.");
    }
    tags.set(kind, withTags(tags.get(kind) ?? [], given));
  }
  return tags;
}

export function tagList(tags: Tags): readonly Tag[] {
  return tags.map(([Key, Value]) => ({ Key, Value }));
}
