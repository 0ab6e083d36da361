import type { GetObjectOutput, GetObjectRequest, HeadObjectRequest, Operations } from "@gatewright/aws-wire/types/s3";
import type { CallContext, Handlers } from "../service.ts";
import type { ByteRange } from "./blobs.ts";
import { checksumMembers } from "./checksums.ts";
import { checkRead } from "./conditions.ts";
import type { Ground } from "./ground.ts";
import { bytesOf } from "./object-bytes.ts";
import { objectFor } from "./object-place.ts";
import type { BucketRecord, StoredObject } from "./records.ts";
import { invalidArgument, invalidRequest } from "./refusals.ts";
import { rangeOf } from "./range.ts";
import { versionTold } from "./versions.ts";

/** Objects are read: whole, in part, or only told of. */
export function objectReads(ground: Ground): Handlers<Operations> {
  return {
    async GetObject(input, context) {
      const { object, range, told } = asked(ground, input, context);
      return { ...told, Body: await bytesOf(ground, object, range, input.Key, context.signal) };
    },
    HeadObject: (input, context) => asked(ground, input, context).told,

    GetObjectAttributes(input, context) {
      const { bucket, object } = objectFor(ground, input, context);
      const wanted = new Set(input.ObjectAttributes);
      return {
        LastModified: object.modified,
        ...versionTold(bucket, object.id),
        ...(wanted.has("ETag") && { ETag: object.etag.replaceAll('"', "") }),
        ...(wanted.has("ObjectSize") && { ObjectSize: object.size }),
        ...(wanted.has("StorageClass") && { StorageClass: object.storageClass }),
        ...(wanted.has("Checksum") && object.checksum && { Checksum: checksumMembers(object.checksum) }),
        ...(wanted.has("ObjectParts") &&
          object.multipart && { ObjectParts: { TotalPartsCount: object.pieces.length } }),
      };
    },
  };
}

/** Everything that an answer says of the object, besides its bytes, and which of those are meant. */
function asked(
  ground: Ground,
  input: GetObjectRequest | HeadObjectRequest,
  context: CallContext,
): { readonly object: StoredObject; readonly range: ByteRange; readonly told: GetObjectOutput } {
  const { bucket, object } = objectFor(ground, input, context);
  checkRead(input, object);
  const part = input.PartNumber === undefined ? undefined : partRange(object, input.PartNumber);
  if (part && input.Range !== undefined)
    throw invalidRequest("Cannot specify both Range header and partNumber query parameter");
  const partial = part ?? (input.Range === undefined ? undefined : rangeOf(input.Range, object.size));
  const range = partial ?? { start: 0, end: object.size };
  return {
    object,
    range,
    told: {
      ...traitsTold(bucket, object),
      ...overridesOf(input),
      AcceptRanges: "bytes",
      ContentLength: range.end - range.start,
      ...(partial && object.size > 0 && { ContentRange: `bytes ${range.start}-${range.end - 1}/${object.size}` }),
      ...(part && object.multipart && { PartsCount: object.pieces.length }),
      ...(input.ChecksumMode === "ENABLED" && !partial && checksumMembers(object.checksum)),
    },
  };
}

function traitsTold(bucket: BucketRecord, object: StoredObject): GetObjectOutput {
  const { lock, tags, storageClass } = object;
  return {
    ETag: object.etag,
    LastModified: object.modified,
    ...versionTold(bucket, object.id),
    ...Object.fromEntries(object.headers),
    ...Object.fromEntries(object.encryption),
    ...(object.metadata.length > 0 && { Metadata: Object.fromEntries(object.metadata) }),
    ...(tags.length > 0 && { TagCount: tags.length }),
    ...(storageClass !== "STANDARD" && { StorageClass: storageClass }),
    ...(lock?.mode !== undefined && { ObjectLockMode: lock.mode, ObjectLockRetainUntilDate: lock.until }),
    ...(lock?.hold !== undefined && { ObjectLockLegalHoldStatus: lock.hold }),
  };
}

/** Signed requests can say what some headers of the answer shall be. */
function overridesOf(input: GetObjectRequest | HeadObjectRequest): GetObjectOutput {
  checkHeader("response-cache-control", input.ResponseCacheControl);
  checkHeader("response-content-disposition", input.ResponseContentDisposition);
  checkHeader("response-content-encoding", input.ResponseContentEncoding);
  checkHeader("response-content-language", input.ResponseContentLanguage);
  checkHeader("response-content-type", input.ResponseContentType);
  return {
    ...(input.ResponseCacheControl !== undefined && { CacheControl: input.ResponseCacheControl }),
    ...(input.ResponseContentDisposition !== undefined && { ContentDisposition: input.ResponseContentDisposition }),
    ...(input.ResponseContentEncoding !== undefined && { ContentEncoding: input.ResponseContentEncoding }),
    ...(input.ResponseContentLanguage !== undefined && { ContentLanguage: input.ResponseContentLanguage }),
    ...(input.ResponseContentType !== undefined && { ContentType: input.ResponseContentType }),
    ...(input.ResponseExpires !== undefined && { Expires: new Date(input.ResponseExpires).toUTCString() }),
  };
}

/** A query can say what no header can carry. */
function checkHeader(name: string, value: string | undefined): void {
  if (value !== undefined && !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw invalidArgument("Header value cannot be represented using ISO-8859-1.", name, value);
  }
}

function partRange(object: StoredObject, number: number): ByteRange {
  const pieces = object.multipart ? object.pieces : [{ size: object.size }];
  const piece = pieces[number - 1];
  if (piece === undefined) throw invalidRequest("The requested partnumber is not satisfiable");
  const start = pieces.slice(0, number - 1).reduce((sum, { size }) => sum + size, 0);
  return { start, end: start + piece.size };
}
