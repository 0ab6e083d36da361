import { constants, createDeflate, createInflate } from "node:zlib";
import type { Deflate, Inflate } from "node:zlib";
import { DICTIONARY } from "./dictionary.ts";

/** Headers of a stream by lower-case name. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** What the headers of one stream may take. */
const MAX_BLOCK = 64 * 1024;

/**
 * Packs and unpacks the headers of one connection. Each direction is one compressed text, so blocks must be given in the order in which
 * they are on the wire, one at a time.
 */
export class HeaderBlocks {
  readonly #inflate: Inflate = createInflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH });
  readonly #deflate: Deflate = createDeflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH });

  constructor() {
    // Each call that fails hears of it itself.
    for (const codec of [this.#inflate, this.#deflate]) codec.on("error", () => {});
  }

  async unpack(block: Buffer): Promise<SpdyHeaders> {
    return parse(await transform(this.#inflate, block));
  }

  pack(headers: SpdyHeaders): Promise<Buffer> {
    return transform(this.#deflate, format(headers));
  }

  close(): void {
    this.#inflate.close();
    this.#deflate.close();
  }
}

function transform(codec: Inflate | Deflate, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BLOCK) return void chunks.push(chunk);
      // Now: the write may be told to have ended well before the codec's error comes.
      reject(new Error("the headers of a stream are too long"));
      return void codec.destroy();
    };
    // A write that fails is not always told so: the codec is.
    const failed = (error?: Error): void => reject(error ?? new Error("the headers of a stream cannot be read"));
    codec.on("data", take).once("error", failed).once("close", failed);
    codec.write(bytes, (error) => {
      codec.off("data", take).off("error", failed).off("close", failed);
      if (error) reject(error);
      else resolve(Buffer.concat(chunks));
    });
  });
}

function parse(block: Buffer): SpdyHeaders {
  const headers = new Map<string, string>();
  let at = 0;
  const number = (): number => {
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const size = number();
    at += size;
    if (at > block.length) throw new RangeError("a header ends before its length");
    return block.toString("utf8", at - size, at);
  };
  for (let left = number(); left > 0; left--) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}

function format(headers: SpdyHeaders): Buffer {
  const parts: Buffer[] = [uint32(headers.size)];
  for (const text of [...headers].flat()) {
    const bytes = Buffer.from(text);
    parts.push(uint32(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
