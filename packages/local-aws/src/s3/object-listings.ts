import type { Operations } from "@gatewright/aws-wire/types/s3";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import type { BucketRequest } from "./bucket-access.ts";
import { groupedPage } from "./grouped-keys.ts";
import type { ListingPage } from "./grouped-keys.ts";
import type { Ground } from "./ground.ts";
import { keyText, mostOf } from "./listing-words.ts";
import { ownerOf } from "./owner.ts";
import type { BucketRecord, KeyRecord, StoredObject } from "./records.ts";
import { invalidArgument } from "./refusals.ts";
import { algorithmOf } from "./checksums.ts";
import { currentObject } from "./versions.ts";

/** Lists of objects, both editions. */
export function objectListings(ground: Ground): Handlers<Operations> {
  const list = (bucket: BucketRecord, request: Listing, after: string): ListingPage<KeyRecord> => {
    const { Prefix: prefix = "", Delimiter: delimiter = "", MaxKeys: most } = request;
    return groupedPage(shownKeys(ground, bucket, prefix, after), ({ key }) => key, {
      prefix,
      delimiter,
      after,
      most: mostOf(most, "max-keys"),
    });
  };
  return {
    ListObjects(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Marker: marker = "", EncodingType: encoding, Delimiter: delimiter } = input;
      const page = list(bucket, input, marker);
      const last = page.entries.at(-1)?.key;
      return {
        ...shared(input, page, bucket, true),
        Marker: keyText(marker, encoding),
        // Without a delimiter clients go on from the last key.
        ...(page.truncated && delimiter !== undefined && last !== undefined && { NextMarker: keyText(last, encoding) }),
      };
    },

    ListObjectsV2(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { ContinuationToken: token, StartAfter: startAfter, EncodingType: encoding } = input;
      const page = list(bucket, input, token === undefined ? (startAfter ?? "") : keyIn(token));
      const last = page.entries.at(-1)?.key;
      return {
        ...shared(input, page, bucket, input.FetchOwner === true),
        KeyCount: page.entries.length,
        ...(token !== undefined && { ContinuationToken: token }),
        ...(startAfter !== undefined && { StartAfter: keyText(startAfter, encoding) }),
        ...(page.truncated && last !== undefined && { NextContinuationToken: tokenOf(last) }),
      };
    },
  };
}

interface Listing extends BucketRequest {
  readonly Prefix?: string | undefined;
  readonly Delimiter?: string | undefined;
  readonly MaxKeys?: number | undefined;
  readonly EncodingType?: string | undefined;
}

/** Keys with an object that can be seen, after the one that was told last. */
function* shownKeys({ store }: Ground, bucket: BucketRecord, prefix: string, after: string): Iterable<KeyRecord> {
  const start = after !== "" && bytesOrder(after, prefix) > 0 ? after : prefix;
  for (const record of store.keys(bucket, prefix, start)) {
    if (record.key !== after && currentObject(record) !== undefined) yield record;
  }
}

function bytesOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function shared(
  input: Listing,
  { entries, truncated }: ListingPage<KeyRecord>,
  { name, account }: BucketRecord,
  withOwner: boolean,
) {
  const { Prefix: prefix = "", Delimiter: delimiter, MaxKeys: most, EncodingType: encoding } = input;
  return {
    Name: name,
    Prefix: keyText(prefix, encoding),
    ...(delimiter !== undefined && { Delimiter: keyText(delimiter, encoding) }),
    MaxKeys: mostOf(most, "max-keys"),
    ...(encoding !== undefined && { EncodingType: encoding }),
    IsTruncated: truncated,
    Contents: entries.flatMap((entry) => {
      const object = entry.kind === "item" ? currentObject(entry.item) : undefined;
      return object === undefined
        ? []
        : [{ Key: keyText(entry.key, encoding), ...objectTold(object), ...(withOwner && { Owner: ownerOf(account) }) }];
    }),
    CommonPrefixes: entries.flatMap(({ kind, key }) => (kind === "prefix" ? [{ Prefix: keyText(key, encoding) }] : [])),
  };
}

/** What lists tell of an object. */
export function objectTold({ modified, etag, size, storageClass, checksum }: StoredObject) {
  return {
    LastModified: modified,
    ETag: etag,
    Size: size,
    StorageClass: storageClass,
    ...(checksum && { ChecksumAlgorithm: [algorithmOf(checksum.member)], ChecksumType: checksum.type }),
  };
}

function tokenOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function keyIn(token: string): string {
  const key = Buffer.from(token, "base64url").toString();
  if (key === "" || tokenOf(key) !== token) {
    throw invalidArgument("The continuation token provided is incorrect", "continuation-token", token);
  }
  return key;
}
