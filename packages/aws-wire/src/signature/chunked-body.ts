import type { KeyObject } from "node:crypto";
import { sameText } from "./same-text.ts";
import { SignatureError } from "./signature-error.ts";
import { scopeText, sha256Hex, signLines } from "./signing-key.ts";
import type { CredentialScope } from "./signing-key.ts";

/** What each chunk's signature is made with: it covers the one before, the first one that of the request. */
export interface ChunkSigner {
  readonly key: KeyObject;
  readonly date: string;
  readonly scope: CredentialScope;
  readonly seed: string;
}

export interface ChunkedBody {
  readonly body: Buffer;
  /** Headers that came after the body. Lower-case names. */
  readonly trailers: Readonly<Record<string, string>>;
}

const EMPTY_SHA256 = sha256Hex("");
const CRLF = "\r\n";

/**
 * Decodes a body in `aws-chunked` form. With a signer every chunk's signature is checked, and that of the trailers, if there are
 * any; without one, signatures are not looked for. Throws {@link SignatureError}.
 */
export function decodeChunked(encoded: Uint8Array, signer: ChunkSigner | undefined): ChunkedBody {
  const input = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const chunks: Buffer[] = [];
  let previous = signer?.seed ?? "";
  for (let at = 0; ;) {
    const { line, next } = lineAt(input, at);
    const head = /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line);
    if (!head) throw wrong("a chunk has no size");
    const size = Number.parseInt(head[1] ?? "", 16);
    const data = input.subarray(next, next + size);
    if (data.length < size) throw wrong("a chunk is cut short");
    if (signer) {
      const expected = signature(signer, "PAYLOAD", [previous, EMPTY_SHA256, sha256Hex(data)]);
      if (!sameText(expected, head[2] ?? "")) throw wrong("the signature of a chunk is not right");
      previous = expected;
    }
    if (size === 0) return { body: Buffer.concat(chunks), trailers: trailersOf(input, next, signer, previous) };
    if (input.toString("latin1", next + size, next + size + 2) !== CRLF) throw wrong("a chunk has no end");
    chunks.push(data);
    at = next + size + 2;
  }
}

function trailersOf(
  input: Buffer,
  from: number,
  signer: ChunkSigner | undefined,
  previous: string,
): Readonly<Record<string, string>> {
  const lines = input
    .toString("utf8", from)
    .split(/[\r\n]+/)
    .filter((line) => line !== "");
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    if (colon < 1) throw wrong("a trailer has no name");
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  const trailers = pairs.filter(([name]) => name !== "x-amz-trailer-signature");
  if (signer && trailers.length > 0) {
    const text = trailers.map(([name, value]) => `${name}:${value}\n`).join("");
    const expected = signature(signer, "TRAILER", [previous, sha256Hex(text)]);
    const told = pairs.find(([name]) => name === "x-amz-trailer-signature")?.[1] ?? "";
    if (!sameText(expected, told)) throw wrong("the signature of the trailers is not right");
  }
  return Object.fromEntries(trailers);
}

function signature({ key, date, scope }: ChunkSigner, what: string, lines: readonly string[]): string {
  return signLines(key, [`AWS4-HMAC-SHA256-${what}`, date, scopeText(scope), ...lines]);
}

function lineAt(input: Buffer, at: number): { readonly line: string; readonly next: number } {
  const end = input.indexOf(CRLF, at);
  if (end < 0 || end - at > 200) throw wrong("a chunk has no size");
  return { line: input.toString("latin1", at, end), next: end + 2 };
}

function wrong(what: string): SignatureError {
  return new SignatureError({ kind: "wrong chunks", what });
}
