import type { CopyObjectRequest, UploadPartCopyRequest } from "@gatewright/aws-wire/types/s3";
import type { CallContext } from "../service.ts";
import { bucketAnywhere } from "./bucket-access.ts";
import { checkRead } from "./conditions.ts";
import type { Ground } from "./ground.ts";
import { objectFor } from "./object-place.ts";
import type { BucketRecord, StoredObject } from "./records.ts";
import { AwsError } from "../aws-error.ts";
import { invalidArgument, preconditionFailed } from "./refusals.ts";

/** The object that a copy is made of, `bucket/key` or `/bucket/key?versionId=…`, encoded. It may be in another region. */
export function sourceOf(
  ground: Ground,
  input: CopyObjectRequest | UploadPartCopyRequest,
  context: CallContext,
): { readonly bucket: BucketRecord; readonly object: StoredObject } {
  const [path = "", query = ""] = input.CopySource.split("?versionId=");
  const decoded = decode(path).replace(/^\//, "");
  const cut = decoded.indexOf("/");
  if (cut < 1 || cut === decoded.length - 1) {
    throw invalidArgument(
      "Copy Source must mention the source bucket and key: sourcebucket/sourcekey",
      "x-amz-copy-source",
      input.CopySource,
    );
  }
  const request = {
    Bucket: decoded.slice(0, cut),
    Key: decoded.slice(cut + 1),
    ExpectedBucketOwner: input.ExpectedSourceBucketOwner,
    VersionId: query === "" ? undefined : query,
  };
  const { region } = bucketAnywhere(ground, request, context);
  const found = objectFor(ground, request, { ...context, region });
  try {
    checkRead(
      {
        IfMatch: input.CopySourceIfMatch,
        IfNoneMatch: input.CopySourceIfNoneMatch,
        IfModifiedSince: input.CopySourceIfModifiedSince,
        IfUnmodifiedSince: input.CopySourceIfUnmodifiedSince,
      },
      found.object,
    );
  } catch (error) {
    // To a writer, an unchanged source is a condition that failed.
    throw error instanceof AwsError && error.status === 304
      ? preconditionFailed("x-amz-copy-source-If-None-Match")
      : error;
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text is meant as it is.
    return text;
  }
}
