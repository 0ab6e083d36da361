import type { StreamBody, StreamSink } from "../http/api-request.ts";

/** Chunks as the body of an answer: no faster than the caller takes them, and cut when their source fails. */
export function streamed(source: AsyncIterable<Uint8Array>): StreamBody {
  return {
    start(sink) {
      const iterator = source[Symbol.asyncIterator]();
      let stopped = false;
      void pump(iterator, sink, () => stopped);
      return () => {
        stopped = true;
        // Nobody waits for a source that is left; what it fails of then concerns nobody.
        iterator.return?.().catch(() => {});
      };
    },
  };
}

async function pump(iterator: AsyncIterator<Uint8Array>, sink: StreamSink, isStopped: () => boolean): Promise<void> {
  let resume = (): void => {};
  sink.onDrain(() => resume());
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (isStopped()) return;
      if (done === true) break;
      const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      if (!sink.write(chunk)) await new Promise<void>((resolve) => (resume = resolve));
      if (isStopped()) return;
    }
    sink.end();
  } catch {
    // The caller sees a body without an end; there is nobody else to tell.
    if (isStopped()) return;
    if (sink.cut) sink.cut();
    else sink.end();
  }
}
