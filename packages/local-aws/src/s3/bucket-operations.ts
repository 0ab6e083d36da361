import type { CreateBucketRequest, Operations } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { CallContext, Handlers } from "../service.ts";
import { grantsOf, isPublicAcl, ownersGrants } from "./acl.ts";
import { bucketAnywhere, bucketFor } from "./bucket-access.ts";
import { checkBucketName } from "./bucket-name.ts";
import type { Ground } from "./ground.ts";
import { checkLocation, locationOf } from "./location.ts";
import { ownerOf } from "./owner.ts";
import type { BucketRecord } from "./records.ts";
import { invalidArgument } from "./refusals.ts";
import { bucketKey } from "./s3-store.ts";
import { tagPairs } from "./tags.ts";

/** How long the name of a deleted bucket is refused, where reads and names lag. AWS promises nothing; this is a short one. */
const NAME_REST_MS = 60_000;
const MOST_BUCKETS = 10_000;

/** Life and death of buckets. */
export function bucketOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateBucket(input, context) {
      const wanted = founded(ground, input, context);
      const existing = store.bucket(context.region, input.Bucket);
      if (existing !== undefined) await recreate(ground, existing, wanted, context);
      else {
        checkRest(ground, wanted);
        if (store.bucketsOf(context.account, context.region).length >= MOST_BUCKETS) {
          throw new AwsError("TooManyBuckets", "You have attempted to create more buckets than allowed");
        }
        await store.commit((commit) => {
          commit.put(store.buckets, bucketKey(wanted), wanted);
          commit.delete(store.deletions, bucketKey(wanted));
        });
      }
      return { Location: `/${input.Bucket}`, BucketArn: bucketArn(wanted) };
    },

    async DeleteBucket(input, context) {
      const bucket = bucketFor(ground, input, context);
      for (const _ of store.keys(bucket, "")) {
        throw new AwsError("BucketNotEmpty", notEmptyText(bucket), {
          status: 409,
          details: { BucketName: bucket.name },
        });
      }
      const uploads = store.uploads(bucket);
      const blobs = uploads.flatMap((upload) => store.parts(bucket, upload).map(({ piece }) => piece.blob));
      await store.commit((commit) => {
        for (const upload of uploads) store.deleteUpload(commit, bucket, upload);
        commit.delete(store.buckets, bucketKey(bucket));
        commit.put(store.deletions, bucketKey(bucket), world.clock.now());
      });
      await Promise.all(blobs.map((blob) => ground.blobs.delete(blob)));
      return {};
    },

    HeadBucket(input, context) {
      const bucket = bucketFor(ground, input, context);
      return { BucketArn: bucketArn(bucket), BucketRegion: bucket.region, AccessPointAlias: false };
    },

    GetBucketLocation(input, context) {
      const location = locationOf(bucketAnywhere(ground, input, context).region);
      return location === undefined ? {} : { LocationConstraint: location };
    },

    ListBuckets(input, { account, region }) {
      const { Prefix: prefix = "", MaxBuckets: most = MOST_BUCKETS, ContinuationToken: token } = input;
      if (most < 1 || most > MOST_BUCKETS) {
        throw invalidArgument("Argument max-buckets must be an integer between 1 and 10000", "max-buckets", most);
      }
      const after = token === undefined ? "" : Buffer.from(token, "base64url").toString();
      const found = store
        .bucketsOf(account, region)
        .filter(({ name }) => name.startsWith(prefix) && name > after)
        .filter((bucket) => input.BucketRegion === undefined || bucket.region === input.BucketRegion);
      const shown = found.slice(0, most);
      const last = shown.at(-1);
      return {
        Owner: ownerOf(account),
        Buckets: shown.map((bucket) => ({
          Name: bucket.name,
          CreationDate: bucket.createdAt,
          BucketRegion: bucket.region,
          BucketArn: bucketArn(bucket),
        })),
        ...(prefix !== "" && { Prefix: prefix }),
        ...(found.length > most &&
          last !== undefined && { ContinuationToken: Buffer.from(last.name).toString("base64url") }),
      };
    },
  };
}

/** `arn:aws:s3:::name`. */
export function bucketArn({ region, name }: Pick<BucketRecord, "region" | "name">): string {
  return `arn:${partitionOf(region)}:s3:::${name}`;
}

/** The bucket that a request asks for, with what a new bucket has. */
function founded({ world }: Ground, input: CreateBucketRequest, { account, region }: CallContext): BucketRecord {
  const { Bucket: name, CreateBucketConfiguration: configuration = {} } = input;
  checkBucketName(name, { account, region, namespace: input.BucketNamespace });
  checkLocation(configuration.LocationConstraint, region);
  const ownership = input.ObjectOwnership ?? "BucketOwnerEnforced";
  const acl = grantsOf(input, account) ?? ownersGrants(account);
  if (ownership === "BucketOwnerEnforced" && acl.length > 1) {
    throw new AwsError(
      "InvalidBucketAclWithObjectOwnership",
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    );
  }
  if (isPublicAcl(acl)) {
    throw new AwsError(
      "InvalidBucketAclWithBlockPublicAccessError",
      "Bucket cannot have public ACLs set with BlockPublicAccess enabled",
    );
  }
  const locked = input.ObjectLockEnabledForBucket === true;
  return {
    name,
    account,
    region,
    createdAt: world.clock.now(),
    acl,
    encryption: NEW_ENCRYPTION,
    ownership,
    publicAccessBlock: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: true,
      RestrictPublicBuckets: true,
    },
    ...(locked && { versioning: "Enabled", objectLock: {} }),
    ...(configuration.Tags && { tags: tagPairs(configuration.Tags, "bucket") }),
  };
}

/** What buckets encrypt with as long as nobody says otherwise. It cannot be turned off. */
export const NEW_ENCRYPTION: BucketRecord["encryption"] = [
  {
    ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" },
    BucketKeyEnabled: false,
    BlockedEncryptionTypes: { EncryptionType: ["SSE-C"] },
  },
];

/** us-east-1 takes it as said again, and sets the ACL as it would be for a new one; all other regions refuse. */
async function recreate(
  { store }: Ground,
  existing: BucketRecord,
  wanted: BucketRecord,
  { account }: CallContext,
): Promise<void> {
  if (existing.account !== account) {
    throw new AwsError(
      "BucketAlreadyExists",
      "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.",
      { status: 409, details: { BucketName: existing.name } },
    );
  }
  if (existing.region !== "us-east-1" || wanted.region !== "us-east-1") {
    throw new AwsError(
      "BucketAlreadyOwnedByYou",
      "Your previous request to create the named bucket succeeded and you already own it.",
      { status: 409, details: { BucketName: existing.name } },
    );
  }
  await store.configure(existing, { acl: wanted.acl });
}

function checkRest({ store, world }: Ground, wanted: BucketRecord): void {
  const deleted = store.deletions.get(bucketKey(wanted));
  if (!world.pace.lag || deleted === undefined) return;
  if (world.clock.now() < deleted + NAME_REST_MS * world.pace.durations) {
    throw new AwsError(
      "OperationAborted",
      "A conflicting conditional operation is currently in progress against this resource. Please try again.",
      { status: 409 },
    );
  }
}

function notEmptyText({ versioning }: BucketRecord): string {
  return versioning === undefined
    ? "The bucket you tried to delete is not empty"
    : "The bucket you tried to delete is not empty. You must delete all versions in the bucket.";
}
