import type { ServiceName } from "@gatewright/aws";

/** Where actions of IAM have another prefix than the service has here. */
const PREFIXES: Readonly<Partial<Record<ServiceName, string>>> = { elbv2: "elasticloadbalancing", tagging: "tag" };

/** Calls whose action is named otherwise; all others are named as the call is. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["s3:DeleteBucketCors", "s3:PutBucketCORS"],
  ["s3:DeleteBucketEncryption", "s3:PutEncryptionConfiguration"],
  ["s3:DeleteBucketLifecycle", "s3:PutLifecycleConfiguration"],
  ["s3:DeleteBucketOwnershipControls", "s3:PutBucketOwnershipControls"],
  ["s3:DeleteBucketReplication", "s3:PutReplicationConfiguration"],
  ["s3:DeleteBucketTagging", "s3:PutBucketTagging"],
  ["s3:DeleteObjects", "s3:DeleteObject"],
  ["s3:DeletePublicAccessBlock", "s3:PutBucketPublicAccessBlock"],
  ["s3:GetBucketAccelerateConfiguration", "s3:GetAccelerateConfiguration"],
  ["s3:GetBucketCors", "s3:GetBucketCORS"],
  ["s3:GetBucketEncryption", "s3:GetEncryptionConfiguration"],
  ["s3:GetBucketLifecycleConfiguration", "s3:GetLifecycleConfiguration"],
  ["s3:GetBucketNotificationConfiguration", "s3:GetBucketNotification"],
  ["s3:GetBucketReplication", "s3:GetReplicationConfiguration"],
  ["s3:GetObjectLockConfiguration", "s3:GetBucketObjectLockConfiguration"],
  ["s3:GetPublicAccessBlock", "s3:GetBucketPublicAccessBlock"],
  ["s3:HeadBucket", "s3:ListBucket"],
  ["s3:ListBuckets", "s3:ListAllMyBuckets"],
  ["s3:ListMultipartUploads", "s3:ListBucketMultipartUploads"],
  ["s3:ListObjectVersions", "s3:ListBucketVersions"],
  ["s3:PutBucketAccelerateConfiguration", "s3:PutAccelerateConfiguration"],
  ["s3:PutBucketCors", "s3:PutBucketCORS"],
  ["s3:PutBucketEncryption", "s3:PutEncryptionConfiguration"],
  ["s3:PutBucketLifecycleConfiguration", "s3:PutLifecycleConfiguration"],
  ["s3:PutBucketNotificationConfiguration", "s3:PutBucketNotification"],
  ["s3:PutBucketReplication", "s3:PutReplicationConfiguration"],
  ["s3:PutObjectLockConfiguration", "s3:PutBucketObjectLockConfiguration"],
  ["s3:PutPublicAccessBlock", "s3:PutBucketPublicAccessBlock"],
]);

/** The action of IAM that lets somebody make a call: `s3:ListBucket` for S3's HeadBucket. */
export function iamActionOf(service: ServiceName, operation: string): string {
  const action = `${PREFIXES[service] ?? service}:${operation}`;
  return RENAMED.get(action) ?? action;
}
