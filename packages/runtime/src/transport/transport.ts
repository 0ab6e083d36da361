/** One HTTP request to an API server. Which server, with whose credentials and over which sockets is the transport's knowledge. */
export interface TransportRequest {
  readonly method: string;
  /** Path with query, as after the host of a URL. */
  readonly path: string;
  /** A list of values is sent as that many headers of one name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Ends a watch, or abandons a request. Whether an abandoned write was done is unknown. */
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Read it once, or leave it by `return`: an unread body holds its connection. Ends with a {@link TransportError} when cut. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * A way to an API server: over sockets, within the process, or through simulated faults. Rejects with {@link TransportError} when
 * there is no answer, and with the signal's reason when that aborts; any answer, also 500, is a response.
 * Middleware is a function from one transport to another.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
