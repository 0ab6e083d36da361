import type { Tag } from "@gatewright/aws-wire/types/rds";
import type { Tags } from "./records.ts";
import { invalidValue } from "./refusals.ts";

const MOST_TAGS = 50;

/** Tags with others put over them, checked. */
export function withTags(tags: Tags, added: readonly Tag[]): Tags {
  const all = new Map(tags);
  for (const { Key: key = "", Value: value = "" } of added) {
    if (key === "" || key.length > 128 || value.length > 256)
      throw invalidValue("Invalid tag: keys have 1 to 128 characters and values up to 256.");
    if (/^(aws|rds):/i.test(key)) throw invalidValue(`Tag keys that begin with "aws:" or "rds:" are reserved: ${key}`);
    all.set(key, value);
  }
  if (all.size > MOST_TAGS) throw invalidValue("The number of tags for a resource exceeds the maximum of 50.");
  return [...all];
}

export function tagList(tags: Tags): readonly Tag[] {
  return tags.map(([Key, Value]) => ({ Key, Value }));
}
