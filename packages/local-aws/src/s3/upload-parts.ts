import type { Operations } from "@gatewright/aws-wire/types/s3";
import type { CallContext, Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import type { ByteRange } from "./blobs.ts";
import { checkedChecksum, computedChecksum, md5 } from "./checksums.ts";
import { sourceOf } from "./copy-source.ts";
import { discard } from "./discard.ts";
import type { Ground } from "./ground.ts";
import { MOST_PARTS, uploadFor } from "./multipart-operations.ts";
import { bytesOf } from "./object-bytes.ts";
import { LARGEST_PUT, withPiece } from "./object-place.ts";
import type { Checksum, PartRecord, Piece, UploadRecord } from "./records.ts";
import { invalidArgument, invalidRequest } from "./refusals.ts";

/** What an empty part is made of: no blob has this id. */
const NO_BYTES: Piece = { blob: "", size: 0 };

type PartRequest = Operations["UploadPart"]["input"] | Operations["UploadPartCopy"]["input"];

/** Parts of uploads come to be: from the bytes of a request, or from those of an object. */
export function uploadParts(ground: Ground): Handlers<Operations> {
  return {
    async UploadPart(input, context) {
      partFor(ground, input, context);
      const body = input.Body ?? new Uint8Array(0);
      const { part, upload } = await putPart(ground, input, context, body, checkedChecksum(input, body));
      return { ETag: part.etag, ...partChecksum(part), ...Object.fromEntries(upload.traits.encryption) };
    },

    async UploadPartCopy(input, context) {
      const { checksumMember: member } = partFor(ground, input, context);
      const { bucket: from, object: source } = sourceOf(ground, input, context);
      const range = copiedRange(input.CopySourceRange, source.size);
      const body = await bytesOf(ground, source, range, input.CopySource, context.signal);
      const checksum = member === undefined ? undefined : computedChecksum(member, body);
      const { part, upload } = await putPart(ground, input, context, body, checksum);
      return {
        CopyPartResult: { ETag: part.etag, LastModified: part.modified, ...partChecksum(part) },
        ...(from.versioning !== undefined && { CopySourceVersionId: source.id }),
        ...Object.fromEntries(upload.traits.encryption),
      };
    },
  };
}

/** The upload that a part is for, when it can be one. */
function partFor(ground: Ground, input: PartRequest, context: CallContext): UploadRecord {
  const upload = uploadFor(ground, bucketFor(ground, input, context), input);
  const { PartNumber: number } = input;
  if (!Number.isInteger(number) || number < 1 || number > MOST_PARTS) {
    throw invalidArgument("Part number must be an integer between 1 and 10000, inclusive", "partNumber", number);
  }
  return upload;
}

/** Makes bytes the part of a number, and forgets those that were it before. */
async function putPart(
  ground: Ground,
  input: PartRequest,
  context: CallContext,
  body: Uint8Array,
  checksum: Checksum | undefined,
): Promise<{ readonly part: PartRecord; readonly upload: UploadRecord }> {
  const { store, world } = ground;
  const etag = `"${md5(body).toString("hex")}"`;
  return await withPiece(ground, body, context.signal, async ([piece = NO_BYTES]) => {
    // The upload may have ended while the bytes were put away.
    const bucket = bucketFor(ground, input, context);
    const upload = uploadFor(ground, bucket, input);
    const replaced = store.part(bucket, upload, input.PartNumber);
    const part: PartRecord = { number: input.PartNumber, etag, modified: world.clock.now(), piece, checksum };
    await store.commit((commit) => store.putPart(commit, bucket, upload, part));
    if (replaced) await discard(ground, [replaced.piece]);
    return { part, upload };
  });
}

/** The bytes of a source that a part is copied from. Unlike a reader's, this range is refused when it is not one. */
function copiedRange(header: string | undefined, size: number): ByteRange {
  if (header === undefined) {
    if (size <= LARGEST_PUT) return { start: 0, end: size };
    throw invalidRequest(
      `The specified copy source is larger than the maximum allowable size for a copy source: ${LARGEST_PUT}`,
    );
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  if (first === undefined || last === undefined || Number(last) < Number(first)) {
    throw invalidArgument(
      "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy",
      "x-amz-copy-source-range",
      header,
    );
  }
  if (Number(last) >= size) {
    throw invalidArgument(
      `Range specified is not valid for source object of size: ${size}`,
      "x-amz-copy-source-range",
      header,
    );
  }
  return { start: Number(first), end: Number(last) + 1 };
}

/** A part tells its checksum, not the type of one. */
function partChecksum({ checksum }: PartRecord): object {
  return checksum === undefined ? {} : { [checksum.member]: checksum.value };
}
