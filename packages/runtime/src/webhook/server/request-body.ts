import type { IncomingMessage } from "node:http";

/** How much of a body that is too large is read on, so that the caller hears why it is refused instead of seeing a cut. */
const PATIENCE = 8;

/** All of a request's body; undefined when it is larger than it may be. Rejects when the caller goes away. */
export function requestBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
      if (size > PATIENCE * maxBytes) resolve(undefined);
    });
    request.on("end", () => resolve(size <= maxBytes ? Buffer.concat(chunks) : undefined));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the caller went away")));
  });
}
