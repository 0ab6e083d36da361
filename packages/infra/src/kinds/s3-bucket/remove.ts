import type { s3 } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { S3Bucket } from "@gatewright/resources";
import type { Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { bucketCalls, isCode } from "./bucket-calls.ts";
import type { BucketCalls } from "./bucket-calls.ts";
import type { BucketSeen } from "./bucket-seen.ts";

/** How much one call of `remove` empties. */
export interface Portion {
  readonly pages: number;
  /** Versions of a page; S3 takes a thousand at most. */
  readonly versions: number;
  readonly uploads: number;
}

const PORTION: Portion = { pages: 10, versions: 1_000, uploads: 100 };

/**
 * Deletes a bucket that is empty. With `forceDestroy` one that is not is emptied a portion at a time, so that an end can be seen and
 * a change of mind still helps.
 */
export async function removeBucket(
  ground: Ground,
  seen: BucketSeen,
  object: Immutable<S3Bucket>,
  portion = PORTION,
): Promise<Obstacle | undefined> {
  const calls = bucketCalls(ground, seen.name);
  if (!(await isFull(calls))) return undefined;
  if (object.spec.forceDestroy !== true) {
    return {
      reason: "NotEmpty",
      message: `The bucket ${seen.name} has objects or versions of them. Delete them, set spec.forceDestroy, or set spec.deletionPolicy to Retain.`,
    };
  }
  await abortUploads(calls, portion);
  return emptied(calls, portion);
}

/** Tries to delete it: only AWS knows for certain whether it is empty. */
async function isFull({ s3, target, options }: BucketCalls): Promise<boolean> {
  try {
    await s3.deleteBucket(target, options);
    return false;
  } catch (error) {
    if (isCode(error, "NoSuchBucket")) return false;
    if (isCode(error, "BucketNotEmpty")) return true;
    throw error;
  }
}

async function abortUploads({ s3, target, options }: BucketCalls, portion: Portion): Promise<void> {
  const { Uploads: uploads = [] } = await s3.listMultipartUploads({ ...target, MaxUploads: portion.uploads }, options);
  for (const { Key, UploadId } of uploads) {
    if (Key === undefined || UploadId === undefined) continue;
    try {
      await s3.abortMultipartUpload({ ...target, Key, UploadId }, options);
    } catch (error) {
      if (!isCode(error, "NoSuchUpload")) throw error;
    }
  }
}

/** Deletes versions and markers, a few pages of them. An obstacle when none of a page could be deleted. */
async function emptied({ s3, target, options }: BucketCalls, portion: Portion): Promise<Obstacle | undefined> {
  let from: Pick<s3.ListObjectVersionsRequest, "KeyMarker" | "VersionIdMarker"> = {};
  for (let page = 0; page < portion.pages; page++) {
    const listed = await s3.listObjectVersions({ ...target, ...from, MaxKeys: portion.versions }, options);
    const objects = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])].flatMap(({ Key, VersionId }) =>
      Key === undefined ? [] : [{ Key, VersionId }],
    );
    if (objects.length === 0) return undefined;
    const { Errors: errors = [] } = await s3.deleteObjects(
      { ...target, Delete: { Objects: objects, Quiet: true } },
      options,
    );
    if (errors.length === objects.length) return lockedObstacle(target.Bucket, errors);
    if (listed.IsTruncated !== true) return undefined;
    from = { KeyMarker: listed.NextKeyMarker, VersionIdMarker: listed.NextVersionIdMarker };
  }
  return undefined;
}

function lockedObstacle(bucket: string, errors: readonly s3.Error[]): Obstacle {
  const [first] = errors;
  const why = `${first?.Code ?? "AccessDenied"}: ${first?.Message ?? ""}`.trim();
  return {
    reason: "DeletionProtected",
    message: `${errors.length} versions in the bucket ${bucket} cannot be deleted, ${first?.Key ?? ""} among them (${why}). Object lock keeps versions until their time is over; the bucket goes after that.`,
  };
}
