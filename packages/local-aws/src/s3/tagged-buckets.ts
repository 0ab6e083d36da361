import type { TaggedResources } from "../neighbours.ts";
import { bucketArn } from "./bucket-operations.ts";
import type { Ground } from "./ground.ts";
import type { BucketRecord } from "./records.ts";
import { tagPairs } from "./tags.ts";

/** Buckets for the tagging API: those of the region, by ARN. */
export function taggedBuckets({ store }: Ground): TaggedResources {
  const find = (arn: string): BucketRecord | undefined => {
    const [, partition, name] = /^arn:(aws[a-z-]*):s3:::([a-z0-9.-]+)$/.exec(arn) ?? [];
    return name === undefined ? undefined : store.buckets.get(`${partition}/${name}`);
  };
  const retag = async (arn: string, change: (tags: Map<string, string>) => void): Promise<boolean> => {
    const bucket = find(arn);
    if (bucket === undefined) return false;
    const tags = new Map(bucket.tags);
    change(tags);
    const checked = tagPairs(
      [...tags].map(([Key, Value]) => ({ Key, Value })),
      "bucket",
    );
    await store.configure(bucket, { tags: checked.length === 0 ? undefined : checked });
    return true;
  };
  return {
    *list(account, region) {
      for (const bucket of store.bucketsOf(account, region)) {
        if (bucket.region === region) yield { arn: bucketArn(bucket), tags: new Map(bucket.tags) };
      }
    },
    tag: (arn, added) =>
      retag(arn, (tags) => {
        for (const [key, value] of added) tags.set(key, value);
      }),
    untag: (arn, keys) =>
      retag(arn, (tags) => {
        for (const key of keys) tags.delete(key);
      }),
  };
}
