import type { CallContext } from "../service.ts";
import { AwsError } from "../aws-error.ts";
import { bucketFor } from "./bucket-access.ts";
import type { BucketRequest } from "./bucket-access.ts";
import { BlobsFullError } from "./blobs.ts";
import { discard } from "./discard.ts";
import type { Ground } from "./ground.ts";
import type { BucketRecord, ObjectVersion, Piece, StoredObject } from "./records.ts";
import { noSuchKey, noSuchVersion } from "./refusals.ts";
import { withVersion } from "./versions.ts";

const LONGEST_KEY_BYTES = 1024;
/** The most that one request can bring. */
export const LARGEST_PUT = 5 * 1024 ** 3;

/** What every request for an object says. */
export interface ObjectRequest extends BucketRequest {
  readonly Key: string;
  readonly VersionId?: string | undefined;
}

/** The version that a request asks for: an object, or a refusal that tells of the delete marker. */
export function objectFor(
  ground: Ground,
  request: ObjectRequest,
  context: CallContext,
): { readonly bucket: BucketRecord; readonly object: StoredObject } {
  const bucket = bucketFor(ground, request, context);
  const { Key: key, VersionId: id } = request;
  const versions = ground.store.key(bucket, key)?.versions ?? [];
  const version = id === undefined ? versions[0] : versions.find((one) => one.id === id);
  if (version === undefined) throw id === undefined ? noSuchKey(key) : noSuchVersion(key, id);
  if (version.kind === "object") return { bucket, object: version };
  const told = { "x-amz-delete-marker": "true", "x-amz-version-id": version.id };
  if (id === undefined) throw noSuchKey(key, told);
  throw new AwsError("MethodNotAllowed", "The specified method is not allowed against this resource.", {
    status: 405,
    headers: { ...told, allow: "DELETE" },
    details: { Method: "GET", ResourceType: "DeleteMarker" },
  });
}

export function checkKey(key: string): void {
  if (Buffer.byteLength(key) > LONGEST_KEY_BYTES) {
    throw new AwsError("KeyTooLongError", "Your key is too long", {
      details: { Size: Buffer.byteLength(key), MaxSizeAllowed: LONGEST_KEY_BYTES },
    });
  }
}

/** Makes a version the current one of a key, and forgets the bytes of what it takes the place of. */
export async function place(ground: Ground, bucket: BucketRecord, key: string, version: ObjectVersion): Promise<void> {
  const { versions, removed } = withVersion(ground.store.key(bucket, key), version);
  await ground.store.commit((commit) => ground.store.putKey(commit, bucket, { key, versions }));
  await forget(ground, removed);
}

/** The bytes of versions that no record tells of any more. Never rejects. */
export function forget(ground: Ground, versions: readonly ObjectVersion[]): Promise<void> {
  return discard(
    ground,
    versions.flatMap((version) => (version.kind === "object" ? version.pieces : [])),
  );
}

/**
 * Puts bytes away and then does what makes them part of an object. When that is refused, the bytes go again; so `use` must not
 * reject once it has committed. Without bytes there is no piece.
 */
export async function withPiece<T>(
  ground: Ground,
  body: Uint8Array,
  signal: AbortSignal,
  use: (pieces: readonly Piece[]) => Promise<T>,
): Promise<T> {
  if (body.length > LARGEST_PUT) {
    throw new AwsError("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size", {
      details: { ProposedSize: body.length, MaxSizeAllowed: LARGEST_PUT },
    });
  }
  if (body.length === 0) return await use([]);
  const blob = await ground.blobs.put(body, signal).catch((error: unknown) => {
    throw error instanceof BlobsFullError ? new AwsError("ServiceUnavailable", error.message, { status: 503 }) : error;
  });
  const pieces = [{ blob, size: body.length }];
  try {
    return await use(pieces);
  } catch (error) {
    await discard(ground, pieces);
    throw error;
  }
}
