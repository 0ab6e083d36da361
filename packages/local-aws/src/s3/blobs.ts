/** Part of a blob: from the first byte to before the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the bytes of objects lie, apart from the records that tell of them: a record is small and kept in memory, a body is not.
 * A blob never changes. One whose record was never committed is waste, and does no other harm.
 */
export interface Blobs {
  /** Resolves with the id once the bytes are as durable as the implementation makes them. */
  put(bytes: Uint8Array, signal: AbortSignal): Promise<string>;
  /** Throws `BlobMissingError` when it is not there. */
  get(id: string, range: ByteRange, signal: AbortSignal): Promise<Uint8Array>;
  /** Another id for the same bytes, which outlives the first. */
  copy(id: string, signal: AbortSignal): Promise<string>;
  /** Does nothing when it is not there. */
  delete(id: string): Promise<void>;
}

/** The bytes of an object are gone: it was overwritten or deleted while somebody read it. A retry sees what is there now. */
export class BlobMissingError extends Error {
  constructor(id: string, options?: ErrorOptions) {
    super(`the blob ${id} is not there`, options);
    this.name = "BlobMissingError";
  }
}

/** There is no room for more bytes. Deleting objects makes some. */
export class BlobsFullError extends Error {
  constructor(capacity: number) {
    super(`objects may have ${capacity} bytes together, and have them`);
    this.name = "BlobsFullError";
  }
}
