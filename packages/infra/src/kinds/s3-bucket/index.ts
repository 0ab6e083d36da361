import type { s3 } from "@gatewright/aws";
import { S3Bucket } from "@gatewright/resources";
import type { AwsKind, Creation } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { bucketCalls, isCode } from "./bucket-calls.ts";
import type { BucketCalls } from "./bucket-calls.ts";
import type { BucketSeen } from "./bucket-seen.ts";
import { changeBucket } from "./change.ts";
import { BUCKET_FIELDS } from "./fields.ts";
import { readBucket, readTags } from "./read.ts";
import { removeBucket } from "./remove.ts";
import { notificationReferences } from "./sections/notification.ts";

/** The region whose name S3 does not want to hear. */
const FIRST_REGION = "us-east-1";
const HOUR_MS = 3_600_000;

type Place = Pick<Ground, "region" | "partition">;

const arnOf = ({ name }: BucketSeen, { partition }: Place): string => `arn:${partition}:s3:::${name}`;
const hostOf = ({ name }: BucketSeen, { region, partition }: Place): string =>
  `${name}.s3.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;

/**
 * A bucket as it is first made: with its tags, and with what can only be said then without detours. All else is written by the first
 * change. In us-east-1 making a bucket that is there resets its ACL, so it is always looked for first.
 */
async function createBucket(ground: Ground, { object, tags }: Creation<S3Bucket>): Promise<string> {
  const { bucketName: name, objectLock, objectOwnership } = object.spec;
  const calls = bucketCalls(ground, name);
  try {
    await readTags(calls);
    return name;
  } catch (error) {
    if (!isCode(error, "NoSuchBucket")) throw error;
  }
  const { s3, options } = calls;
  const request = {
    Bucket: name,
    CreateBucketConfiguration: {
      ...(ground.region !== FIRST_REGION && { LocationConstraint: ground.region }),
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    },
    ...(objectLock && { ObjectLockEnabledForBucket: true }),
    ...(objectOwnership !== undefined && { ObjectOwnership: objectOwnership }),
  };
  try {
    await s3.createBucket(request, options);
  } catch (error) {
    // Made by an attempt whose answer was lost: its tags say whose it is.
    if (isCode(error, "BucketAlreadyOwnedByYou")) return name;
    throw error;
  }
  // In us-east-1 the answer does not tell a bucket that was made from one that somebody else made in the same moment.
  if (ground.region !== FIRST_REGION) await tagIfNot(calls, request.CreateBucketConfiguration.Tags);
  return name;
}

/** There are S3s, behind endpoints of their own, that pass over the tags of a creation. */
async function tagIfNot(calls: BucketCalls, tags: readonly s3.Tag[]): Promise<void> {
  try {
    if (Object.keys(await readTags(calls)).length > 0) return;
  } catch (error) {
    // AWS, which has the tags, may be behind.
    if (isCode(error, "NoSuchBucket")) return;
    throw error;
  }
  await calls.s3.putBucketTagging({ ...calls.target, Tagging: { TagSet: [...tags] } }, calls.options);
}

/** S3 knows the set of tags only as a whole. Those that are not ours are written again, AWS's own too, which it asks for. */
const tagBucket: AwsKind<S3Bucket, BucketSeen>["tag"] = async (ground, { name }, { set, remove }) => {
  const calls = bucketCalls(ground, name);
  const tags = new Map(Object.entries({ ...(await readTags(calls)), ...set }));
  for (const key of remove) tags.delete(key);
  const { s3, target, options } = calls;
  if (tags.size === 0) await s3.deleteBucketTagging(target, options);
  else {
    const all = [...tags].map(([Key, Value]) => ({ Key, Value }));
    await s3.putBucketTagging({ ...target, Tagging: { TagSet: all } }, options);
  }
};

/** Buckets of S3. */
export const s3Bucket: AwsKind<S3Bucket, BucketSeen> = {
  resource: S3Bucket,
  finalizer: "aws-infra-operator.runner.codes/s3bucket-finalizer",
  service: "s3",
  tagType: "s3",
  holdsData: true,
  driftMs: HOUR_MS,
  lagMs: 10_000,
  settleMs: 10_000,
  nameOf: ({ bucketName }) => bucketName,
  idOf: (arn) => arn.slice(arn.lastIndexOf(":") + 1),
  fields: BUCKET_FIELDS,
  references: notificationReferences,
  outputsInStatus: { arn: "arn", domainName: "bucketDomainName", region: "region" },

  read: readBucket,
  create: createBucket,
  change: changeBucket,
  tag: tagBucket,
  remove: removeBucket,

  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: () => ({ is: "ready" }),
  statusOf: (seen, place) => ({
    arn: arnOf(seen, place),
    region: place.region,
    bucketDomainName: hostOf(seen, place),
  }),
  outputsOf: (seen, place) => ({
    arn: arnOf(seen, place),
    name: seen.name,
    domainName: hostOf(seen, place),
    region: place.region,
  }),
};
