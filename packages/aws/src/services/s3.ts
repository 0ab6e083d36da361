import type { Operations } from "@gatewright/aws-wire/types/s3";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

/** In us-east-1 a second `CreateBucket` resets the access of the bucket: it is never tried again blindly. */
const REPEATABLE = [
  "AbortMultipartUpload",
  "DeleteBucket",
  "DeleteBucketCors",
  "DeleteBucketEncryption",
  "DeleteBucketLifecycle",
  "DeleteBucketOwnershipControls",
  "DeleteBucketPolicy",
  "DeleteBucketReplication",
  "DeleteBucketTagging",
  "DeleteBucketWebsite",
  "DeleteObjects",
  "DeletePublicAccessBlock",
  "GetBucketAccelerateConfiguration",
  "GetBucketAcl",
  "GetBucketCors",
  "GetBucketEncryption",
  "GetBucketLifecycleConfiguration",
  "GetBucketLocation",
  "GetBucketLogging",
  "GetBucketNotificationConfiguration",
  "GetBucketOwnershipControls",
  "GetBucketPolicy",
  "GetBucketReplication",
  "GetBucketRequestPayment",
  "GetBucketTagging",
  "GetBucketVersioning",
  "GetBucketWebsite",
  "GetObjectLockConfiguration",
  "GetPublicAccessBlock",
  "HeadBucket",
  "ListBuckets",
  "ListMultipartUploads",
  "ListObjectVersions",
  "PutBucketAccelerateConfiguration",
  "PutBucketAcl",
  "PutBucketCors",
  "PutBucketEncryption",
  "PutBucketLifecycleConfiguration",
  "PutBucketLogging",
  "PutBucketNotificationConfiguration",
  "PutBucketOwnershipControls",
  "PutBucketPolicy",
  "PutBucketReplication",
  "PutBucketRequestPayment",
  "PutBucketTagging",
  "PutBucketVersioning",
  "PutBucketWebsite",
  "PutObjectLockConfiguration",
  "PutPublicAccessBlock",
] as const;
const ONCE = ["CreateBucket"] as const;

/** Simple Storage Service: each operation as a function. */
export function s3Calls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  return serviceCalls<Operations, Name>(call, "s3", { repeatable: REPEATABLE, once: ONCE });
}

/** {@inheritDoc s3Calls} */
export type S3Calls = ReturnType<typeof s3Calls>;
