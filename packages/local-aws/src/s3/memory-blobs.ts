import { BlobMissingError, BlobsFullError } from "./blobs.ts";
import type { Blobs } from "./blobs.ts";

const GIBIBYTE = 1024 ** 3;

/** Blobs that end with the process. Holds `capacity` bytes, by default 1 GiB; copies are counted, though they share their bytes. */
export function createMemoryBlobs({ capacity = GIBIBYTE }: { readonly capacity?: number } = {}): Blobs {
  const blobs = new Map<string, Uint8Array>();
  let held = 0;
  let next = 0;

  const keep = (bytes: Uint8Array): string => {
    if (held + bytes.length > capacity) throw new BlobsFullError(capacity);
    held += bytes.length;
    const id = `m${next++}`;
    blobs.set(id, bytes);
    return id;
  };
  const find = (id: string): Uint8Array => {
    const bytes = blobs.get(id);
    if (bytes === undefined) throw new BlobMissingError(id);
    return bytes;
  };

  return {
    put: async (bytes) => keep(Uint8Array.from(bytes)),
    get: async (id, { start, end }) => find(id).subarray(start, end),
    copy: async (id) => keep(find(id)),
    delete: async (id) => {
      held -= blobs.get(id)?.length ?? 0;
      blobs.delete(id);
    },
  };
}
