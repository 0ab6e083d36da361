import type { Ground } from "../../engine/session.ts";
import { bucketCalls, isCode, unless } from "./bucket-calls.ts";
import type { BucketCalls } from "./bucket-calls.ts";
import type { BucketSeen, SectionName } from "./bucket-seen.ts";

/** How each section is read, and by which code AWS says that there is none. */
const READS: { readonly [Name in SectionName]: (calls: BucketCalls) => Promise<BucketSeen[Name]> } = {
  acl: ({ s3, target, options }) => s3.getBucketAcl(target, options),
  objectOwnership: async ({ s3, target, options }) => {
    const read = unless("OwnershipControlsNotFoundError", s3.getBucketOwnershipControls(target, options));
    return (await read)?.OwnershipControls?.Rules[0]?.ObjectOwnership;
  },
  publicAccessBlock: async ({ s3, target, options }) => {
    const read = unless("NoSuchPublicAccessBlockConfiguration", s3.getPublicAccessBlock(target, options));
    return (await read)?.PublicAccessBlockConfiguration;
  },
  policy: async ({ s3, target, options }) =>
    (await unless("NoSuchBucketPolicy", s3.getBucketPolicy(target, options)))?.Policy,
  versioning: async ({ s3, target, options }) => (await s3.getBucketVersioning(target, options)).Status,
  encryption: async ({ s3, target, options }) => {
    const code = "ServerSideEncryptionConfigurationNotFoundError";
    const read = await unless(code, s3.getBucketEncryption(target, options));
    return read?.ServerSideEncryptionConfiguration?.Rules[0];
  },
  lifecycleRules: async ({ s3, target, options }) => {
    const code = "NoSuchLifecycleConfiguration";
    const read = await unless(code, s3.getBucketLifecycleConfiguration(target, options));
    return read && { rules: read.Rules ?? [], minimumSize: read.TransitionDefaultMinimumObjectSize };
  },
  corsRules: async ({ s3, target, options }) =>
    (await unless("NoSuchCORSConfiguration", s3.getBucketCors(target, options)))?.CORSRules,
  logging: async ({ s3, target, options }) => (await s3.getBucketLogging(target, options)).LoggingEnabled,
  website: async ({ s3, target, options }) =>
    unless("NoSuchWebsiteConfiguration", s3.getBucketWebsite(target, options)),
  notificationConfiguration: ({ s3, target, options }) => s3.getBucketNotificationConfiguration(target, options),
  replication: async ({ s3, target, options }) => {
    const read = unless("ReplicationConfigurationNotFoundError", s3.getBucketReplication(target, options));
    return (await read)?.ReplicationConfiguration;
  },
  objectLock: async ({ s3, target, options }) => {
    const read = unless("ObjectLockConfigurationNotFoundError", s3.getObjectLockConfiguration(target, options));
    return (await read)?.ObjectLockConfiguration;
  },
  accelerate: async ({ s3, target, options }) => (await s3.getBucketAccelerateConfiguration(target, options)).Status,
  requestPayment: async ({ s3, target, options }) => (await s3.getBucketRequestPayment(target, options)).Payer,
};

/**
 * Reads the tags, which also tell whether the bucket is there, and the sections that are asked for. Only `NoSuchBucket` makes it
 * absent: what is another account's (403) or in another region (301) is there. HEAD would tell no code.
 */
export async function readBucket(
  ground: Ground,
  name: string,
  declared: ReadonlySet<string>,
): Promise<BucketSeen | "absent"> {
  const calls = bucketCalls(ground, name);
  const sections = Object.keys(READS).filter((each): each is SectionName => isDeclared(each, declared));
  try {
    const tags = await readTags(calls);
    const read = await Promise.all(sections.map(async (section) => [section, await READS[section](calls)] as const));
    return { name, tags, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
  } catch (error) {
    if (isCode(error, "NoSuchBucket")) return "absent";
    throw error;
  }
}

/** All tags of a bucket, AWS's own among them. */
export async function readTags({ s3, target, options }: BucketCalls): Promise<Readonly<Record<string, string>>> {
  const { TagSet: tags = [] } = (await unless("NoSuchTagSet", s3.getBucketTagging(target, options))) ?? {};
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}

function isDeclared(section: string, declared: ReadonlySet<string>): boolean {
  for (const path of declared) if (path === section || path.startsWith(`${section}.`)) return true;
  return false;
}
