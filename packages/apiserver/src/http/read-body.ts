import type { IncomingMessage } from "node:http";
import { requestEntityTooLarge } from "@gatewright/kube";

/** What one request may carry. */
const MAX_BODY = 3 * 1024 * 1024;

/** How much more is read and thrown away, so that the client is still there to hear why. */
const MAX_DISCARDED = 32 * 1024 * 1024;

/** Reads a request's body whole. Rejects with 413 for one that is too large, of which nothing is kept. */
export function readRequestBody(message: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_BODY + MAX_DISCARDED) message.destroy();
    });
    message.once("end", () => {
      if (size > MAX_BODY) reject(tooLarge());
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    });
    message.once("error", reject);
    message.once("close", () => {
      if (!message.readableEnded) reject(tooLarge());
    });
  });
}

function tooLarge(): Error {
  return requestEntityTooLarge(`limit is ${MAX_BODY}`);
}
