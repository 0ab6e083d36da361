import type { Operations, PutObjectRequest } from "@gatewright/aws-wire/types/s3";
import type { CallContext, Handlers } from "../service.ts";
import { BlobMissingError } from "./blobs.ts";
import { bucketFor } from "./bucket-access.ts";
import { checkedChecksum, checksumMembers, md5 } from "./checksums.ts";
import { checkWrite } from "./conditions.ts";
import { sourceOf } from "./copy-source.ts";
import { discard } from "./discard.ts";
import type { Ground } from "./ground.ts";
import { checkKey, objectFor, place, withPiece } from "./object-place.ts";
import { traitsOf } from "./object-traits.ts";
import type { BucketRecord, ObjectTraits, StoredObject } from "./records.ts";
import { invalidRequest, noSuchKey } from "./refusals.ts";
import { tagPairs, tagSet } from "./tags.ts";
import { currentObject, newVersionId, versionTold } from "./versions.ts";

/** Objects come to be: put, copied, tagged. */
export function objectWrites(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    PutObject: (input, context) => putObject(ground, input, context),

    async CopyObject(input, context) {
      const { signal } = context;
      const { bucket: from, object: source } = sourceOf(ground, input, context);
      const replaced = input.MetadataDirective === "REPLACE";
      if (from.name === input.Bucket && sameObject(ground, from, source, input) && !changesSomething(input)) {
        throw invalidRequest(
          "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
        );
      }
      const copies = await Promise.all(
        source.pieces.map(async ({ blob, size }) => ({ blob: await ground.blobs.copy(blob, signal), size })),
      ).catch((error: unknown) => {
        // The source was deleted meanwhile.
        throw error instanceof BlobMissingError ? noSuchKey(input.CopySource) : error;
      });
      try {
        const bucket = bucketFor(ground, input, context);
        checkKey(input.Key);
        checkWrite(input, input.Key, currentObject(store.key(bucket, input.Key)));
        const now = world.clock.now();
        const given = traitsOf(input, bucket, now);
        const traits: ObjectTraits = {
          ...given,
          ...(!replaced && { headers: source.headers, metadata: source.metadata }),
          ...(input.TaggingDirective !== "REPLACE" && { tags: source.tags }),
        };
        const version: StoredObject = {
          ...source,
          ...traits,
          id: newVersionId(bucket, world.random),
          modified: now,
          pieces: copies,
        };
        await place(ground, bucket, input.Key, version);
        return {
          CopyObjectResult: { ETag: version.etag, LastModified: now, ...checksumMembers(version.checksum) },
          ...versionTold(bucket, version.id),
          ...(from.versioning !== undefined && { CopySourceVersionId: source.id }),
          ...Object.fromEntries(version.encryption),
        };
      } catch (error) {
        await discard(ground, copies);
        throw error;
      }
    },

    GetObjectTagging(input, context) {
      const { bucket, object } = objectFor(ground, input, context);
      return { TagSet: tagSet(object.tags), ...versionTold(bucket, object.id) };
    },
    async PutObjectTagging(input, context) {
      const { bucket, object } = objectFor(ground, input, context);
      await retag(ground, bucket, input.Key, { ...object, tags: tagPairs(input.Tagging.TagSet, "object") });
      return versionTold(bucket, object.id);
    },
    async DeleteObjectTagging(input, context) {
      const { bucket, object } = objectFor(ground, input, context);
      await retag(ground, bucket, input.Key, { ...object, tags: [] });
      return versionTold(bucket, object.id);
    },
  };
}

async function putObject(
  ground: Ground,
  input: PutObjectRequest,
  context: CallContext,
): Promise<Operations["PutObject"]["output"]> {
  const { world, store } = ground;
  bucketFor(ground, input, context);
  checkKey(input.Key);
  const body = input.Body ?? new Uint8Array(0);
  const checksum = checkedChecksum(input, body);
  const etag = `"${md5(body).toString("hex")}"`;
  return await withPiece(ground, body, context.signal, async (pieces) => {
    // The bucket may have changed while the bytes were put away.
    const bucket = bucketFor(ground, input, context);
    checkWrite(input, input.Key, currentObject(store.key(bucket, input.Key)));
    const now = world.clock.now();
    const version: StoredObject = {
      kind: "object",
      id: newVersionId(bucket, world.random),
      modified: now,
      etag,
      size: body.length,
      pieces,
      checksum,
      multipart: false,
      ...traitsOf(input, bucket, now),
    };
    await place(ground, bucket, input.Key, version);
    return {
      ETag: etag,
      ...versionTold(bucket, version.id),
      ...checksumMembers(checksum),
      ...Object.fromEntries(version.encryption),
    };
  });
}

function sameObject(
  { store }: Ground,
  from: BucketRecord,
  source: StoredObject,
  { Key: key }: { readonly Key: string },
): boolean {
  return store.key(from, key)?.versions[0] === source;
}

function changesSomething(input: Operations["CopyObject"]["input"]): boolean {
  return (
    input.MetadataDirective === "REPLACE" ||
    input.StorageClass !== undefined ||
    input.WebsiteRedirectLocation !== undefined ||
    input.ServerSideEncryption !== undefined
  );
}

async function retag(ground: Ground, bucket: BucketRecord, key: string, object: StoredObject): Promise<void> {
  const versions = ground.store.key(bucket, key)?.versions ?? [];
  await ground.store.commit((commit) =>
    ground.store.putKey(commit, bucket, {
      key,
      versions: versions.map((one) => (one.id === object.id ? object : one)),
    }),
  );
}
