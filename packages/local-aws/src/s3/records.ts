import type {
  CORSRule,
  Grant,
  LifecycleRule,
  LoggingEnabled,
  NotificationConfiguration,
  ObjectLockRule,
  PublicAccessBlockConfiguration,
  ReplicationConfiguration,
  ServerSideEncryptionRule,
  WebsiteConfiguration,
} from "@gatewright/aws-wire/types/s3";

/** Names with values, in the order in which they were given. Not an object: users choose the names. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** A bucket with all of its configuration. What is absent is not configured. */
export interface BucketRecord {
  readonly name: string;
  readonly account: string;
  readonly region: string;
  readonly createdAt: number;
  readonly acl: readonly Grant[];
  readonly encryption: readonly ServerSideEncryptionRule[];
  readonly ownership?: string | undefined;
  readonly publicAccessBlock?: PublicAccessBlockConfiguration | undefined;
  readonly versioning?: "Enabled" | "Suspended" | undefined;
  readonly mfaDelete?: string | undefined;
  /** Once on, it stays on. */
  readonly objectLock?: { readonly rule?: ObjectLockRule | undefined } | undefined;
  readonly policy?: string | undefined;
  readonly tags?: Pairs | undefined;
  readonly lifecycle?: { readonly rules: readonly LifecycleRule[]; readonly minimumSize: string } | undefined;
  readonly cors?: readonly CORSRule[] | undefined;
  readonly website?: WebsiteConfiguration | undefined;
  readonly replication?: ReplicationConfiguration | undefined;
  readonly logging?: LoggingEnabled | undefined;
  readonly notification?: NotificationConfiguration | undefined;
  readonly accelerate?: string | undefined;
  readonly payer?: string | undefined;
}

/** Bytes that lie in the blobs. An object has one piece for each part that it was uploaded in. */
export interface Piece {
  readonly blob: string;
  readonly size: number;
}

/** What a client said of the bytes, and what can be asked back. */
export interface Checksum {
  /** The member that carries it: `ChecksumCRC32`. */
  readonly member: string;
  readonly value: string;
  readonly type: "FULL_OBJECT" | "COMPOSITE";
}

/** What an upload says of an object besides its bytes. */
export interface ObjectTraits {
  /** By the name of the member, such as `ContentType`; told back as they are. */
  readonly headers: Pairs;
  readonly metadata: Pairs;
  readonly tags: Pairs;
  readonly storageClass: string;
  readonly encryption: Pairs;
  readonly lock?: ObjectLock | undefined;
}

/** Why a version may not be deleted yet. */
export interface ObjectLock {
  readonly mode?: string | undefined;
  readonly until?: number | undefined;
  readonly hold?: string | undefined;
}

/** A version of an object, or the marker that it was deleted. The id of those from before versioning is `null`. */
export type ObjectVersion =
  | { readonly kind: "marker"; readonly id: string; readonly modified: number }
  | ({
      readonly kind: "object";
      readonly id: string;
      readonly modified: number;
      readonly etag: string;
      readonly size: number;
      readonly pieces: readonly Piece[];
      readonly checksum?: Checksum | undefined;
      /** Whether it came in parts; their ETags then end with a count. */
      readonly multipart: boolean;
    } & ObjectTraits);

export type StoredObject = Extract<ObjectVersion, { readonly kind: "object" }>;

/** Everything that lies under one key, newest first; the first is the current one. Never empty. */
export interface KeyRecord {
  readonly key: string;
  readonly versions: readonly ObjectVersion[];
}

export interface UploadRecord {
  readonly id: string;
  readonly key: string;
  readonly initiated: number;
  readonly traits: ObjectTraits;
  readonly checksumMember?: string | undefined;
  readonly checksumType?: "FULL_OBJECT" | "COMPOSITE" | undefined;
}

export interface PartRecord {
  readonly number: number;
  readonly etag: string;
  readonly modified: number;
  readonly piece: Piece;
  readonly checksum?: Checksum | undefined;
}
