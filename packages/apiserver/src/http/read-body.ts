import type { IncomingMessage } from "node:http";
import { requestEntityTooLarge } from "@gatewright/kube";

/** What one request may carry. */
const MAX_BODY = 3 * 1024 * 1024;

/** How much more is read and thrown away, so that the client is still there to hear why. */
const MAX_DISCARDED = 32 * 1024 * 1024;

/** Reads a request's body whole. Throws 413 for one that is too large, of which nothing is kept. */
export async function readRequestBody(message: IncomingMessage): Promise<Uint8Array> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
    else chunks = [];
    if (size > MAX_BODY + MAX_DISCARDED) break;
  }
  if (size > MAX_BODY) throw requestEntityTooLarge(`limit is ${MAX_BODY}`);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}
