/** A stream has to end; the gateway comes back by itself. */
export class StreamEndError extends Error {
  override readonly name = "StreamEndError";
  readonly code = "stream_end";
  readonly retryable = true;
}
