import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);
const MAX_CODINGS = 2;

/** Why a body cannot be read: in a way that is not known, not in the way that it says, or too large when it is unpacked. */
export type Undecodable = "unknown" | "broken" | "too-large";

/** A body as it was before `content-encoding`, at most `limit` bytes of it. */
export async function decodedBody(
  bytes: Buffer,
  encodings: readonly string[],
  limit: number,
): Promise<Buffer | Undecodable> {
  const codings = encodings
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) return "unknown";
  let body = bytes;
  for (const coding of codings.reverse()) {
    const decode = DECODERS.get(coding);
    if (decode === undefined) return "unknown";
    try {
      body = await decode(body, { maxOutputLength: limit });
    } catch (error) {
      return error instanceof RangeError ? "too-large" : "broken";
    }
  }
  return body;
}
