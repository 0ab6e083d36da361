import { BlobMissingError } from "./blobs.ts";
import type { ByteRange } from "./blobs.ts";
import type { Ground } from "./ground.ts";
import type { StoredObject } from "./records.ts";
import { noSuchKey } from "./refusals.ts";

/** Bytes of an object, whatever pieces they lie in. That it was overwritten meanwhile is told as if `key` were not there. */
export async function bytesOf(
  { blobs }: Ground,
  object: StoredObject,
  range: ByteRange,
  key: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const taken: Promise<Uint8Array>[] = [];
  let at = 0;
  for (const { blob, size } of object.pieces) {
    const start = Math.max(range.start - at, 0);
    const end = Math.min(range.end - at, size);
    if (start < end) taken.push(blobs.get(blob, { start, end }, signal));
    at += size;
  }
  try {
    const parts = await Promise.all(taken);
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  } catch (error) {
    throw error instanceof BlobMissingError ? noSuchKey(key) : error;
  }
}
