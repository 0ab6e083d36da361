import type { DeleteMarkerEntry, ObjectVersion as ToldVersion, Operations } from "@gatewright/aws-wire/types/s3";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import { groupedPage } from "./grouped-keys.ts";
import type { Ground } from "./ground.ts";
import { keyText, mostOf } from "./listing-words.ts";
import { objectTold } from "./object-listings.ts";
import { ownerOf } from "./owner.ts";
import type { BucketRecord, ObjectVersion } from "./records.ts";
import { invalidArgument } from "./refusals.ts";

interface Shown {
  readonly key: string;
  readonly version: ObjectVersion;
  readonly latest: boolean;
}

/** The list of all versions and delete markers: by key, and the newest first. */
export function versionListing(ground: Ground): Handlers<Operations> {
  return {
    ListObjectVersions(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Prefix: prefix = "", Delimiter: delimiter, EncodingType: encoding } = input;
      const { KeyMarker: keyMarker = "", VersionIdMarker: versionMarker } = input;
      if (versionMarker !== undefined && keyMarker === "") {
        throw invalidArgument(
          "A version-id marker cannot be specified without a key marker.",
          "version-id-marker",
          versionMarker,
        );
      }
      const most = mostOf(input.MaxKeys, "max-keys");
      const { entries, truncated } = groupedPage(
        shown(ground, bucket, prefix, keyMarker, versionMarker),
        ({ key }) => key,
        {
          prefix,
          delimiter: delimiter ?? "",
          after: keyMarker,
          most,
        },
      );
      const versions: ToldVersion[] = [];
      const markers: DeleteMarkerEntry[] = [];
      for (const entry of entries) {
        if (entry.kind === "prefix") continue;
        const { key, version, latest } = entry.item;
        const told = {
          Key: keyText(key, encoding),
          VersionId: version.id,
          IsLatest: latest,
          LastModified: version.modified,
          Owner: ownerOf(bucket.account),
        };
        if (version.kind === "marker") markers.push(told);
        else versions.push({ ...told, ...objectTold(version) });
      }
      const last = truncated ? entries.at(-1) : undefined;
      return {
        Name: bucket.name,
        Prefix: keyText(prefix, encoding),
        ...(delimiter !== undefined && { Delimiter: keyText(delimiter, encoding) }),
        KeyMarker: keyText(keyMarker, encoding),
        VersionIdMarker: versionMarker ?? "",
        MaxKeys: most,
        ...(encoding !== undefined && { EncodingType: encoding }),
        IsTruncated: truncated,
        Versions: versions,
        DeleteMarkers: markers,
        CommonPrefixes: entries.flatMap(({ kind, key }) =>
          kind === "prefix" ? [{ Prefix: keyText(key, encoding) }] : [],
        ),
        ...(last && { NextKeyMarker: keyText(last.key, encoding) }),
        ...(last?.kind === "item" && { NextVersionIdMarker: last.item.version.id }),
      };
    },
  };
}

/** Versions after the marked one: without a version mark, the whole key that is marked was told already. */
function* shown(
  { store }: Ground,
  bucket: BucketRecord,
  prefix: string,
  keyMarker: string,
  versionMarker: string | undefined,
): Iterable<Shown> {
  const start = Buffer.compare(Buffer.from(keyMarker), Buffer.from(prefix)) > 0 ? keyMarker : prefix;
  for (const { key, versions } of store.keys(bucket, prefix, start)) {
    let from = 0;
    if (key === keyMarker) {
      const marked = versions.findIndex(({ id }) => id === versionMarker);
      // A marked version that is gone leaves nothing to count from, and skipping would hide versions.
      from = versionMarker === undefined ? versions.length : marked + 1;
    }
    for (const [i, version] of versions.entries()) if (i >= from) yield { key, version, latest: i === 0 };
  }
}
