import { TransportError } from "../transport/transport-error.ts";
import type { TransportResponse } from "../transport/transport.ts";

/** More than any object: what is larger is not an answer of an API server. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** The whole body as text. Rejects when it is cut or larger than `limit`. */
export async function readBody(response: TransportResponse, limit = MAX_OBJECT_BYTES): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > limit) throw new TransportError("malformed", `the answer is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return decodeText(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
}

/** UTF-8 to text, without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", from);
}

/** Leaves a body that nobody wants, so that its connection is free. */
export async function discardBody(response: TransportResponse): Promise<void> {
  for await (const chunk of response.body) void chunk;
}
