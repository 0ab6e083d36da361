import type { Sink, Source } from "./body.ts";
import type { Fields } from "./fields.ts";

/** A body that is all there. */
export function bytesSource(bytes: Uint8Array, trailers?: Fields): Source {
  let open = true;
  return {
    length: bytes.length,
    open(sink) {
      if (!open) return;
      open = false;
      if (bytes.length > 0) sink.write(bytes);
      sink.end(trailers);
    },
    cancel() {
      open = false;
    },
  };
}

/** A body that is all there, as text with a character for each byte. It becomes bytes for those who want bytes. */
export function textSource(text: string): Source {
  let open = true;
  return {
    length: text.length,
    open(sink) {
      if (!open) return;
      open = false;
      if (sink.writeText === undefined) sink.write(Buffer.from(text, "latin1"));
      else sink.writeText(text);
      sink.end();
    },
    cancel() {
      open = false;
    },
  };
}

/** Reads a whole body. More than `limit` bytes: the rest is not wanted. Rejects when the body breaks off. */
export function collect(source: Source, limit: number): Promise<Collected | "too-large"> {
  if (source.length !== undefined && source.length > limit) {
    source.cancel();
    return Promise.resolve("too-large");
  }
  const { promise, resolve, reject } = Promise.withResolvers<Collected | "too-large">();
  const chunks: Uint8Array[] = [];
  let size = 0;
  source.open({
    write(chunk) {
      size += chunk.length;
      if (size > limit) {
        chunks.length = 0;
        source.cancel();
        resolve("too-large");
        return false;
      }
      chunks.push(chunk);
      return true;
    },
    end: (trailers) => resolve({ bytes: Buffer.concat(chunks), trailers }),
    abort: reject,
    onDrain() {},
  });
  return promise;
}

export interface Collected {
  readonly bytes: Buffer;
  readonly trailers: Fields | undefined;
}

/** Takes everything and forgets it. */
export function forget(source: Source): void {
  const sink: Sink = { write: () => true, end() {}, abort() {}, onDrain() {} };
  source.open(sink);
}
