import type { Readable } from "node:stream";

/** All of a body, or `too large` as soon as it is that. Rejects with the stream's own error when it breaks off. */
export async function readBody(stream: Readable, limit: number): Promise<Uint8Array | "too large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The stream is left open, so that an answer can still be sent on its connection.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return "too large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
