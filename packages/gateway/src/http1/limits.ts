/** How much a peer may ask of a connection, and how long it may take. Times are kept to within half a second. */
export interface Http1Limits {
  /** Bytes of a head, its first line included. */
  readonly headBytes: number;
  /** Fields in a head, and in trailers. */
  readonly fields: number;
  /** Bytes of a request's target. */
  readonly targetBytes: number;
  /** Bytes of trailers, and of all chunk extensions in one body. */
  readonly trailerBytes: number;
  /** From the first byte of a head, or from the beginning of the connection, to the end of the head. */
  readonly headMs: number;
  /** Between two requests. */
  readonly idleMs: number;
  /** Without a byte of a body that is wanted, or without one taken of an answer that waits. */
  readonly progressMs: number;
  /**
   * How many bytes a second a body that is wanted, or an answer that waits, has to have on average, over each span of `progressMs`.
   * 0: any byte will do.
   */
  readonly bytesPerSecond: number;
  /** Without a byte in either direction after a change of protocol. */
  readonly tunnelIdleMs: number;
  /** Requests on one connection; the answer to the last says that it is. */
  readonly requests: number;
}

export const DEFAULT_LIMITS: Http1Limits = {
  headBytes: 16 * 1024,
  fields: 100,
  targetBytes: 8 * 1024,
  trailerBytes: 8 * 1024,
  headMs: 10_000,
  idleMs: 75_000,
  progressMs: 30_000,
  bytesPerSecond: 240,
  tunnelIdleMs: 300_000,
  requests: 100_000,
};

/** What may come while a request is under way, before the connection has to wait. */
export const AHEAD_BYTES = 64 * 1024;
/** How much of a body that nobody wants is read for the sake of the connection. */
export const UNWANTED_BYTES = 256 * 1024;
/** How long a client has for reading the last answer, from when all of it has left this process. */
export const LINGER_MS = 5000;
