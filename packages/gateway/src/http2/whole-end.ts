import { constants } from "node:http2";
import type { Http2Stream } from "node:http2";

/**
 * Watches whether the other side ends its half of a stream properly. A stream that is reset without an error ends for its reader as if
 * it were whole: what tells the difference is that a proper end comes before the close.
 */
export function watchEnd(stream: Http2Stream): () => boolean {
  const { state } = stream.pending ? {} : stream.state;
  let isWhole = state === constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE;
  if (isWhole) return () => true;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null && !stream.closed) isWhole = true;
    return push(chunk, encoding);
  };
  return () => isWhole;
}
