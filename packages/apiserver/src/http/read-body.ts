import type { IncomingMessage } from "node:http";
import { requestEntityTooLarge } from "@gatewright/kube";

/** What one request may carry. */
export const MAX_BODY = 3 * 1024 * 1024;

/** Reads a request's body whole. Throws 413 as soon as it is known to be too large; the rest is not kept. */
export async function readRequestBody(message: IncomingMessage): Promise<Uint8Array> {
  const declared = Number(message.headers["content-length"] ?? 0);
  if (declared > MAX_BODY) throw tooLarge(message);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw tooLarge(message);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

function tooLarge(message: IncomingMessage): Error {
  message.resume();
  return requestEntityTooLarge(`limit is ${MAX_BODY}`);
}
