import {
  GetBucketAccelerateConfigurationCommand,
  GetBucketAclCommand,
  GetBucketCorsCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLocationCommand,
  GetBucketLoggingCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetBucketReplicationCommand,
  GetBucketRequestPaymentCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetBucketWebsiteCommand,
  GetObjectLockConfigurationCommand,
  GetPublicAccessBlockCommand,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { S3Client } from "@aws-sdk/client-s3";

/** The codes by which S3 says that a bucket has nothing of a section. */
const NOTHING = /^(?:NoSuch(?!Bucket$)|.*NotFoundError$)/;

/** Everything that a bucket is configured with, as the AWS SDK sees it. What is not configured is null. */
export async function lookAtBucket(client: S3Client, bucket: string): Promise<Readonly<Record<string, unknown>>> {
  const input = { Bucket: bucket };
  const sections = {
    accelerate: client.send(new GetBucketAccelerateConfigurationCommand(input)),
    acl: client.send(new GetBucketAclCommand(input)),
    cors: client.send(new GetBucketCorsCommand(input)),
    encryption: client.send(new GetBucketEncryptionCommand(input)),
    lifecycle: client.send(new GetBucketLifecycleConfigurationCommand(input)),
    location: client.send(new GetBucketLocationCommand(input)),
    logging: client.send(new GetBucketLoggingCommand(input)),
    notification: client.send(new GetBucketNotificationConfigurationCommand(input)),
    objectLock: client.send(new GetObjectLockConfigurationCommand(input)),
    ownership: client.send(new GetBucketOwnershipControlsCommand(input)),
    policy: client.send(new GetBucketPolicyCommand(input)),
    publicAccessBlock: client.send(new GetPublicAccessBlockCommand(input)),
    replication: client.send(new GetBucketReplicationCommand(input)),
    requestPayment: client.send(new GetBucketRequestPaymentCommand(input)),
    tagging: client.send(new GetBucketTaggingCommand(input)),
    versioning: client.send(new GetBucketVersioningCommand(input)),
    website: client.send(new GetBucketWebsiteCommand(input)),
  };
  const seen = await Promise.all(
    Object.entries(sections).map(async ([name, answer]) => [name, await withoutMetadata(answer)] as const),
  );
  return Object.fromEntries(seen);
}

async function withoutMetadata(answer: Promise<object>): Promise<object | null> {
  try {
    const { $metadata: _, ...section } = { $metadata: {}, ...(await answer) };
    return section;
  } catch (error) {
    if (error instanceof S3ServiceException && NOTHING.test(error.name)) return null;
    throw error;
  }
}

/** Counts as never turned on what was turned off: S3 itself cannot go further back. */
export function bucketAsNew(state: unknown): unknown {
  const seen = { ...(state as Awaited<ReturnType<typeof lookAtBucket>>) };
  for (const name of ["versioning", "accelerate"]) {
    const section = seen[name];
    const isOff =
      typeof section === "object" && section !== null && "Status" in section && section.Status === "Suspended";
    if (isOff) seen[name] = {};
  }
  return seen;
}
