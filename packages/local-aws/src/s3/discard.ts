import type { Ground } from "./ground.ts";
import type { Piece } from "./records.ts";

/**
 * Bytes that no record tells of, or none any more. Never rejects: what led here is committed or refused by now, and bytes that stay
 * are waste and do no other harm.
 */
export async function discard({ blobs, onFault }: Ground, pieces: readonly Piece[]): Promise<void> {
  await Promise.all(
    pieces
      .filter(({ size }) => size > 0)
      .map(({ blob }) => blobs.delete(blob).catch((error: unknown) => onFault(error, "s3:blobs"))),
  );
}
