import type { s3 } from "@gatewright/aws";

/** What was read of a bucket. Sections that nobody asked for are not there; those that AWS has nothing of are not there either. */
export interface BucketSeen {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly acl?: Pick<s3.GetBucketAclOutput, "Owner" | "Grants">;
  readonly objectOwnership?: string;
  readonly publicAccessBlock?: s3.PublicAccessBlockConfiguration;
  readonly policy?: string;
  readonly versioning?: string;
  readonly encryption?: s3.ServerSideEncryptionRule;
  readonly lifecycleRules?: {
    readonly rules: readonly s3.LifecycleRule[];
    readonly minimumSize: string | undefined;
  };
  readonly corsRules?: readonly s3.CORSRule[];
  readonly logging?: s3.LoggingEnabled;
  readonly website?: s3.WebsiteConfiguration;
  readonly notificationConfiguration?: s3.NotificationConfiguration;
  readonly replication?: s3.ReplicationConfiguration;
  readonly objectLock?: s3.ObjectLockConfiguration;
  readonly accelerate?: string;
  readonly requestPayment?: string;
}

/** A part of the configuration that has a call of its own; fields begin with its name. */
export type SectionName = Exclude<keyof BucketSeen, "name" | "tags">;
