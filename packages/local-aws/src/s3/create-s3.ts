import type { Operations } from "@gatewright/aws-wire/types/s3";
import type { TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { accessConfiguration } from "./access-configuration.ts";
import type { Blobs } from "./blobs.ts";
import { bucketConfiguration } from "./bucket-configuration.ts";
import { bucketCors } from "./bucket-cors.ts";
import { bucketOperations } from "./bucket-operations.ts";
import type { Ground } from "./ground.ts";
import { lateConfiguration } from "./late-configuration.ts";
import { lifecycleConfiguration } from "./lifecycle-configuration.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { multipartOperations } from "./multipart-operations.ts";
import { notificationConfiguration } from "./notification-configuration.ts";
import { objectDeletes } from "./object-deletes.ts";
import { objectListings } from "./object-listings.ts";
import { objectReads } from "./object-reads.ts";
import { objectWrites } from "./object-writes.ts";
import { S3Store } from "./s3-store.ts";
import { taggedBuckets } from "./tagged-buckets.ts";
import { uploadListings } from "./upload-listings.ts";
import { uploadParts } from "./upload-parts.ts";
import { versionListing } from "./version-listing.ts";
import { versioningConfiguration } from "./versioning-configuration.ts";

/** S3, and what it is to its neighbours. */
export interface S3 {
  readonly service: Service;
  readonly tagged: TaggedResources;
  /** Ids of the blobs that objects and parts are made of. All others are waste. */
  usedBlobs(): ReadonlySet<string>;
}

export interface S3Options {
  /** Where bodies of objects are. Default: in memory, 1 GiB of them at most. */
  readonly blobs?: Blobs;
  /** Hears of bytes that could not be removed. Default: nobody; they are waste, and go at the next start. */
  readonly onFault?: (error: unknown, where: string) => void;
}

/** S3: buckets with all of their configuration, and objects. */
export function createS3(world: AwsWorld, { blobs = createMemoryBlobs(), onFault = () => {} }: S3Options = {}): S3 {
  const ground: Ground = { world, store: new S3Store(world.state), blobs, onFault };
  const late = lateConfiguration(ground);
  const bare = service<Operations>("s3", {
    ...bucketOperations(ground),
    ...accessConfiguration(ground),
    ...bucketConfiguration(ground),
    ...versioningConfiguration(ground),
    ...lifecycleConfiguration(ground),
    ...notificationConfiguration(ground),
    ...objectWrites(ground),
    ...objectReads(ground),
    ...objectDeletes(ground),
    ...objectListings(ground),
    ...versionListing(ground),
    ...multipartOperations(ground),
    ...uploadParts(ground),
    ...uploadListings(ground),
  });
  return {
    service: {
      ...bare,
      crossOrigin: bucketCors(ground),
      operations: new Map([...bare.operations].map(([name, handler]) => [name, late(name, handler)])),
    },
    tagged: taggedBuckets(ground),
    usedBlobs: () => ground.store.usedBlobs(),
  };
}
