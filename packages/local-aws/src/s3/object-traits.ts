import type { BucketRecord, ObjectLock, ObjectTraits, Pairs } from "./records.ts";
import { AwsError } from "../aws-error.ts";
import { grantsOf } from "./acl.ts";
import type { AclHeaders } from "./acl.ts";
import { accessDenied, invalidArgument, invalidRequest } from "./refusals.ts";
import { tagsOfHeader } from "./tags.ts";

const HEADERS = [
  "CacheControl",
  "ContentDisposition",
  "ContentEncoding",
  "ContentLanguage",
  "ContentType",
  "Expires",
  "WebsiteRedirectLocation",
] as const;

const MOST_METADATA_BYTES = 2048;
const DAY_MS = 86_400_000;

/** What requests that make an object say of it besides its bytes. */
export type TraitsRequest = { readonly [Name in (typeof HEADERS)[number]]?: string | undefined } & AclHeaders & {
    readonly Metadata?: Readonly<Record<string, string>> | undefined;
    readonly Tagging?: string | undefined;
    readonly StorageClass?: string | undefined;
    readonly ServerSideEncryption?: string | undefined;
    readonly SSEKMSKeyId?: string | undefined;
    readonly BucketKeyEnabled?: boolean | undefined;
    readonly SSECustomerAlgorithm?: string | undefined;
    readonly ObjectLockMode?: string | undefined;
    readonly ObjectLockRetainUntilDate?: number | undefined;
    readonly ObjectLockLegalHoldStatus?: string | undefined;
  };

/** The traits that an object of a request has in a bucket. */
export function traitsOf(request: TraitsRequest, bucket: BucketRecord, now: number): ObjectTraits {
  checkAcl(request, bucket);
  if (request.SSECustomerAlgorithm !== undefined) {
    throw accessDenied(
      "Requests specifying Server Side Encryption with Customer provided keys are not allowed for this bucket",
    );
  }
  const headers = headersOf(request);
  return {
    headers: headers.some(([name]) => name === "ContentType")
      ? headers
      : [...headers, ["ContentType", "binary/octet-stream"]],
    metadata: metadataOf(request.Metadata ?? {}),
    tags: tagsOfHeader(request.Tagging),
    storageClass: request.StorageClass ?? "STANDARD",
    encryption: encryptionOf(request, bucket),
    lock: lockOf(request, bucket, now),
  };
}

function headersOf(request: TraitsRequest): Pairs {
  return HEADERS.flatMap((name): Pairs => {
    const value = request[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** Under `BucketOwnerEnforced` a request may only say what is so anyway. */
function checkAcl(request: TraitsRequest, bucket: BucketRecord): void {
  if (bucket.ownership !== "BucketOwnerEnforced") return;
  const grants = grantsOf(request, bucket.account);
  if (grants !== undefined && request.ACL !== "bucket-owner-full-control" && request.ACL !== "private") {
    throw new AwsError("AccessControlListNotSupported", "The bucket does not allow ACLs");
  }
}

function metadataOf(metadata: Readonly<Record<string, string>>): Pairs {
  const pairs = Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value] as const);
  const size = pairs.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  if (size > MOST_METADATA_BYTES) {
    throw new AwsError("MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size", {
      details: { Size: size, MaxSizeAllowed: MOST_METADATA_BYTES },
    });
  }
  return pairs;
}

function encryptionOf(request: TraitsRequest, { encryption }: BucketRecord): Pairs {
  const byDefault = encryption[0]?.ApplyServerSideEncryptionByDefault;
  const algorithm = request.ServerSideEncryption ?? byDefault?.SSEAlgorithm ?? "AES256";
  const key =
    request.SSEKMSKeyId ?? (request.ServerSideEncryption === undefined ? byDefault?.KMSMasterKeyID : undefined);
  if (algorithm === "AES256" && request.SSEKMSKeyId !== undefined) {
    throw invalidArgument(
      "Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms",
      "x-amz-server-side-encryption",
      algorithm,
    );
  }
  return [["ServerSideEncryption", algorithm], ...(key === undefined ? [] : [["SSEKMSKeyId", key] as const])];
}

function lockOf(request: TraitsRequest, { objectLock }: BucketRecord, now: number): ObjectLock | undefined {
  const { ObjectLockMode: mode, ObjectLockRetainUntilDate: until, ObjectLockLegalHoldStatus: hold } = request;
  if (objectLock === undefined) {
    if (mode !== undefined || until !== undefined || hold !== undefined) {
      throw invalidRequest("Bucket is missing Object Lock Configuration");
    }
    return undefined;
  }
  if ((mode === undefined) !== (until === undefined)) {
    throw invalidArgument("x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied");
  }
  if (until !== undefined && until <= now) throw invalidArgument("The retain until date must be in the future!");
  const { Mode: usual, Days: days, Years: years } = objectLock.rule?.DefaultRetention ?? {};
  if (mode === undefined && usual !== undefined) {
    return { mode: usual, until: now + ((days ?? 0) + (years ?? 0) * 365) * DAY_MS, hold };
  }
  return mode === undefined && hold === undefined ? undefined : { mode, until, hold };
}
