import { TransportError } from "../transport/transport-error.ts";
import { decodeText, MAX_OBJECT_BYTES } from "./read-body.ts";

const NEWLINE = 0x0a;

/**
 * The lines of a stream, decoded when whole, however the bytes are cut into chunks. Rejects with `cut` when the stream ends inside a
 * line, and with `malformed` when a line has no end within the bound.
 */
export async function* watchLines(
  body: AsyncIterable<Uint8Array>,
  limit = MAX_OBJECT_BYTES,
): AsyncGenerator<string, void, undefined> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const last = chunk.subarray(from, at);
      const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
      pieces = [];
      size = 0;
      from = at + 1;
      if (line.length > 0) yield decodeText(line);
    }
    if (from === chunk.length) continue;
    size += chunk.length - from;
    if (size > limit) throw new TransportError("malformed", `a line of the watch is longer than ${limit} bytes`);
    pieces.push(chunk.subarray(from));
  }
  if (size > 0) throw new TransportError("cut", "the watch ended in the middle of an event");
}
