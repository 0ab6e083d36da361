import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from "node:zlib";
import type { BrotliCompress, Deflate, Gzip, ZstdCompress } from "node:zlib";
import type { Sink, Source } from "../../exchange/body.ts";
import type { Fields } from "../../exchange/fields.ts";
import type { Algorithm } from "./accept-encoding.ts";

type Compressor = BrotliCompress | Deflate | Gzip | ZstdCompress;

/** How much may wait to be compressed before the source is told to stop. */
const ENOUGH = 64 * 1024;

/** Levels for answers that are made as they are sent: most of the gain at a small part of the cost. */
function compressor(algorithm: Algorithm): { readonly stream: Compressor; readonly flushKind: number } {
  switch (algorithm) {
    case "br":
      return {
        stream: createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
        flushKind: constants.BROTLI_OPERATION_FLUSH,
      };
    case "zstd":
      return {
        stream: createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
        flushKind: constants.ZSTD_e_flush,
      };
    case "gzip":
      return { stream: createGzip({ level: 5 }), flushKind: constants.Z_SYNC_FLUSH };
    case "deflate":
      return { stream: createDeflate({ level: 5 }), flushKind: constants.Z_SYNC_FLUSH };
  }
}

/**
 * A body, compressed on its way. What came is sent on whenever nothing else waits, so that events of a stream arrive when they happen
 * while a fast body is compressed in one piece. The compressor exists only between `open` and the end, whichever end that is.
 */
export function compressedSource(source: Source, algorithm: Algorithm): Source {
  let running: Compression | undefined;
  let over = false;
  return {
    length: undefined,
    open(sink) {
      if (over || running !== undefined) return;
      running = new Compression(source, sink, algorithm);
      source.open(running);
    },
    cancel() {
      if (over) return;
      over = true;
      running?.stop();
      source.cancel();
    },
  };
}

class Compression implements Sink {
  readonly #source: Source;
  readonly #sink: Sink;
  readonly #stream: Compressor;
  readonly #flushKind: number;
  #waiting = 0;
  #chunks = 0;
  #stopped = false;
  #full = false;
  #ended = false;
  #trailers: Fields | undefined;
  #drained: (() => void) | undefined;

  constructor(source: Source, sink: Sink, algorithm: Algorithm) {
    this.#source = source;
    this.#sink = sink;
    const { stream, flushKind } = compressor(algorithm);
    this.#stream = stream;
    this.#flushKind = flushKind;
    stream.on("data", (chunk: Buffer) => {
      if (!this.#stopped && !sink.write(chunk)) stream.pause();
    });
    stream.on("end", () => {
      if (this.#stopped) return;
      this.#stopped = true;
      sink.end(this.#trailers);
    });
    stream.on("error", (error) => {
      if (this.#stopped) return;
      this.stop();
      this.#source.cancel();
      sink.abort(error);
    });
    sink.onDrain(() => {
      if (!this.#stopped) stream.resume();
    });
  }

  write(chunk: Uint8Array): boolean {
    if (this.#stopped || this.#ended) return false;
    this.#waiting += chunk.length;
    this.#chunks++;
    this.#stream.write(chunk, () => this.#taken(chunk.length));
    this.#full = this.#waiting >= ENOUGH;
    return !this.#full;
  }

  end(trailers?: Fields): void {
    if (this.#stopped) return;
    this.#ended = true;
    this.#trailers = trailers;
    this.#stream.end();
  }

  abort(error: Error): void {
    if (this.#stopped) return;
    this.stop();
    this.#sink.abort(error);
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  /** Frees the compressor; nothing more is sent. */
  stop(): void {
    this.#stopped = true;
    this.#stream.destroy();
  }

  #taken(bytes: number): void {
    this.#waiting -= bytes;
    this.#chunks--;
    if (this.#stopped || this.#ended) return;
    if (this.#full && this.#waiting < ENOUGH) {
      this.#full = false;
      this.#drained?.();
    }
    if (this.#chunks === 0 && !this.#ended) this.#stream.flush(this.#flushKind);
  }
}
