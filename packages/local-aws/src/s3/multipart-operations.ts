import { randomString } from "@gatewright/ports";
import type { CompletedPart, Operations } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import {
  algorithmOf,
  checksumMembers,
  compositeChecksum,
  defaultType,
  md5,
  memberOf,
  toldChecksum,
} from "./checksums.ts";
import { checkWrite } from "./conditions.ts";
import { discard } from "./discard.ts";
import type { Ground } from "./ground.ts";
import { checkKey, forget } from "./object-place.ts";
import { traitsOf } from "./object-traits.ts";
import type { BucketRecord, Checksum, PartRecord, StoredObject, UploadRecord } from "./records.ts";
import { invalidArgument, malformedXml, noSuchUpload } from "./refusals.ts";
import { currentObject, newVersionId, versionTold, withVersion } from "./versions.ts";

const SMALLEST_PART = 5 * 1024 ** 2;
export const MOST_PARTS = 10_000;
const ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

/** Uploads in parts: how they begin and end. */
export function multipartOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateMultipartUpload(input, context) {
      const bucket = bucketFor(ground, input, context);
      checkKey(input.Key);
      const member = input.ChecksumAlgorithm === undefined ? undefined : memberOf(input.ChecksumAlgorithm);
      const upload: UploadRecord = {
        id: randomString(world.random, ID_ALPHABET, 64),
        key: input.Key,
        initiated: world.clock.now(),
        traits: traitsOf(input, bucket, world.clock.now()),
        checksumMember: member,
        checksumType: member === undefined ? undefined : checksumType(input.ChecksumType, member),
      };
      await store.commit((commit) => store.putUpload(commit, bucket, upload));
      return {
        Bucket: bucket.name,
        Key: upload.key,
        UploadId: upload.id,
        ...Object.fromEntries(upload.traits.encryption),
        ...(member !== undefined && { ChecksumAlgorithm: algorithmOf(member), ChecksumType: upload.checksumType }),
      };
    },

    async CompleteMultipartUpload(input, context) {
      const bucket = bucketFor(ground, input, context);
      const upload = uploadFor(ground, bucket, input);
      const given = store.parts(bucket, upload);
      const chosen = chosenParts(input.MultipartUpload?.Parts ?? [], given);
      const record = store.key(bucket, upload.key);
      checkWrite(input, upload.key, currentObject(record));
      const version: StoredObject = {
        kind: "object",
        id: newVersionId(bucket, world.random),
        modified: world.clock.now(),
        etag: `"${md5(...chosen.map(({ etag }) => Buffer.from(etag.replaceAll('"', ""), "hex"))).toString("hex")}-${chosen.length}"`,
        size: chosen.reduce((sum, { piece }) => sum + piece.size, 0),
        pieces: chosen.map(({ piece }) => piece).filter(({ size }) => size > 0),
        checksum: objectChecksum(upload, toldChecksum(input), chosen),
        multipart: true,
        ...upload.traits,
      };
      const { versions, removed } = withVersion(record, version);
      const unused = given.filter((part) => !chosen.includes(part));
      await store.commit((commit) => {
        store.putKey(commit, bucket, { key: upload.key, versions });
        store.deleteUpload(commit, bucket, upload);
      });
      await forget(ground, removed);
      await discard(
        ground,
        unused.map(({ piece }) => piece),
      );
      return {
        Location: `https://${bucket.name}.s3.${bucket.region}.amazonaws.com/${encodeURIComponent(upload.key)}`,
        Bucket: bucket.name,
        Key: upload.key,
        ETag: version.etag,
        ...checksumMembers(version.checksum),
        ...versionTold(bucket, version.id),
        ...Object.fromEntries(version.encryption),
      };
    },

    async AbortMultipartUpload(input, context) {
      const bucket = bucketFor(ground, input, context);
      const upload = uploadFor(ground, bucket, input);
      const parts = store.parts(bucket, upload);
      await store.commit((commit) => store.deleteUpload(commit, bucket, upload));
      await discard(
        ground,
        parts.map(({ piece }) => piece),
      );
      return {};
    },
  };
}

/** The upload that a request names, which must be for the key that it names too. */
export function uploadFor(
  { store }: Ground,
  bucket: BucketRecord,
  { Key: key, UploadId: id }: { readonly Key: string; readonly UploadId: string },
): UploadRecord {
  const upload = id.includes("/") ? undefined : store.upload(bucket, id);
  if (upload === undefined || upload.key !== key) throw noSuchUpload(id);
  return upload;
}

/** The parts that a client asks for, which must be there as it knows them, in order, and large enough. */
function chosenParts(wanted: readonly CompletedPart[], given: readonly PartRecord[]): readonly PartRecord[] {
  if (wanted.length === 0 || wanted.length > MOST_PARTS) throw malformedXml();
  const chosen = wanted.map(({ PartNumber: number, ETag: etag = "" }) => {
    const part = given.find((one) => one.number === number);
    if (part === undefined || part.etag.replaceAll('"', "") !== etag.replaceAll('"', "")) {
      throw new AwsError(
        "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
        { details: { PartNumber: number, ETag: etag } },
      );
    }
    return part;
  });
  for (const [i, part] of chosen.entries()) {
    const next = chosen[i + 1];
    if (next && next.number <= part.number) {
      throw new AwsError(
        "InvalidPartOrder",
        "The list of parts was not in ascending order. Parts must be ordered by part number.",
      );
    }
    if (next && part.piece.size < SMALLEST_PART) {
      throw new AwsError("EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size", {
        details: { ProposedSize: part.piece.size, MinSizeAllowed: SMALLEST_PART, PartNumber: part.number },
      });
    }
  }
  return chosen;
}

function objectChecksum(
  { checksumMember: member, checksumType: type }: UploadRecord,
  told: Checksum | undefined,
  parts: readonly PartRecord[],
): Checksum | undefined {
  if (member === undefined || type === "FULL_OBJECT") return told;
  return (
    compositeChecksum(
      member,
      parts.map(({ checksum }) => checksum),
    ) ??
    (told && { ...told, type: "COMPOSITE" })
  );
}

function checksumType(wanted: string | undefined, member: string): Checksum["type"] {
  if (wanted === undefined) return defaultType(member);
  if (wanted !== "FULL_OBJECT" && wanted !== "COMPOSITE")
    throw invalidArgument("Invalid checksum type", "x-amz-checksum-type", wanted);
  return wanted;
}
