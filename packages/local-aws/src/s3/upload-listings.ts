import type { Operations } from "@gatewright/aws-wire/types/s3";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import { algorithmOf } from "./checksums.ts";
import { groupedPage } from "./grouped-keys.ts";
import type { Ground } from "./ground.ts";
import { keyText, mostOf } from "./listing-words.ts";
import { uploadFor } from "./multipart-operations.ts";
import { ownerOf } from "./owner.ts";

/** Lists of uploads that are not complete, and of their parts. */
export function uploadListings(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  return {
    ListMultipartUploads(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Prefix: prefix = "", Delimiter: delimiter, EncodingType: encoding } = input;
      const { KeyMarker: keyMarker = "", UploadIdMarker: idMarker } = input;
      const most = mostOf(input.MaxUploads, "max-uploads");
      const uploads = store
        .uploads(bucket)
        .filter(({ key }) => key.startsWith(prefix))
        .toSorted(
          (one, other) =>
            Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)) || one.initiated - other.initiated,
        );
      const marked = uploads.findIndex(({ key, id }) => key === keyMarker && id === idMarker);
      const rest = uploads.filter(({ key }, i) =>
        marked < 0 ? Buffer.compare(Buffer.from(key), Buffer.from(keyMarker)) > 0 || keyMarker === "" : i > marked,
      );
      const { entries, truncated } = groupedPage(rest, ({ key }) => key, {
        prefix,
        delimiter: delimiter ?? "",
        after: keyMarker,
        most,
      });
      const owner = ownerOf(bucket.account);
      const last = truncated ? entries.at(-1) : undefined;
      return {
        Bucket: bucket.name,
        KeyMarker: keyText(keyMarker, encoding),
        UploadIdMarker: idMarker ?? "",
        Prefix: keyText(prefix, encoding),
        ...(delimiter !== undefined && { Delimiter: keyText(delimiter, encoding) }),
        ...(encoding !== undefined && { EncodingType: encoding }),
        MaxUploads: most,
        IsTruncated: truncated,
        Uploads: entries.flatMap((entry) =>
          entry.kind === "prefix"
            ? []
            : [
                {
                  UploadId: entry.item.id,
                  Key: keyText(entry.key, encoding),
                  Initiated: entry.item.initiated,
                  StorageClass: entry.item.traits.storageClass,
                  Owner: owner,
                  Initiator: owner,
                },
              ],
        ),
        CommonPrefixes: entries.flatMap(({ kind, key }) =>
          kind === "prefix" ? [{ Prefix: keyText(key, encoding) }] : [],
        ),
        ...(last && { NextKeyMarker: keyText(last.key, encoding) }),
        ...(last?.kind === "item" && { NextUploadIdMarker: last.item.id }),
      };
    },

    ListParts(input, context) {
      const bucket = bucketFor(ground, input, context);
      const upload = uploadFor(ground, bucket, input);
      const { PartNumberMarker: marker = 0 } = input;
      const most = mostOf(input.MaxParts, "max-parts");
      const rest = store.parts(bucket, upload).filter(({ number }) => number > marker);
      const shown = rest.slice(0, most);
      const owner = ownerOf(bucket.account);
      const last = shown.at(-1);
      return {
        Bucket: bucket.name,
        Key: upload.key,
        UploadId: upload.id,
        PartNumberMarker: marker,
        MaxParts: most,
        IsTruncated: rest.length > shown.length,
        ...(last && { NextPartNumberMarker: last.number }),
        Parts: shown.map(({ number, etag, modified, piece, checksum }) => ({
          PartNumber: number,
          LastModified: modified,
          ETag: etag,
          Size: piece.size,
          ...(checksum && { [checksum.member]: checksum.value }),
        })),
        Initiator: owner,
        Owner: owner,
        StorageClass: upload.traits.storageClass,
        ...(upload.checksumMember !== undefined && {
          ChecksumAlgorithm: algorithmOf(upload.checksumMember),
          ChecksumType: upload.checksumType,
        }),
      };
    },
  };
}
