import { AwsError } from "../aws-error.ts";
import type { CallContext } from "../service.ts";
import type { Ground } from "./ground.ts";
import type { BucketRecord } from "./records.ts";
import { accessDenied, noSuchBucket } from "./refusals.ts";

/** What every request for a bucket says. */
export interface BucketRequest {
  readonly Bucket: string;
  readonly ExpectedBucketOwner?: string | undefined;
}

/**
 * The bucket that a request is about, once it is known that the caller may have it: it exists, is as the request expects the
 * caller's own, and is asked for in its region. Policies that would let others in are not looked at.
 */
export function bucketFor(ground: Ground, request: BucketRequest, context: CallContext): BucketRecord {
  const bucket = bucketAnywhere(ground, request, context);
  if (bucket.region !== context.region) throw elsewhere(bucket);
  return bucket;
}

/** As `bucketFor`, from every region. */
export function bucketAnywhere(
  { store }: Ground,
  { Bucket: name, ExpectedBucketOwner: expected }: BucketRequest,
  { account, region }: CallContext,
): BucketRecord {
  if (expected !== undefined && !/^\d{12}$/.test(expected)) {
    throw new AwsError(
      "InvalidBucketOwnerAWSAccountID",
      "The value of the expected bucket owner parameter must be an AWS account ID",
    );
  }
  const bucket = store.bucket(region, name);
  if (bucket === undefined) throw noSuchBucket(name);
  if (bucket.account !== account || (expected !== undefined && expected !== bucket.account)) {
    throw accessDenied("Access Denied", { "x-amz-bucket-region": bucket.region });
  }
  return bucket;
}

function elsewhere({ name, region }: BucketRecord): AwsError {
  return new AwsError(
    "PermanentRedirect",
    "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.",
    {
      status: 301,
      details: { Endpoint: `${name}.s3.${region}.amazonaws.com`, Bucket: name, Region: region },
      headers: { "x-amz-bucket-region": region },
    },
  );
}
