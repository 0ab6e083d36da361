import type { OpenFile } from "./files.ts";
import { FRAME_HEADER, FRAME_MAGIC, frameChecksum, frameLength, isIntact, previousChecksum } from "./frame.ts";
import { damaged } from "./store-file-error.ts";

const CHUNK = 1024 * 1024;

/** Reads the frames of a file one after the other. */
export class FrameReader {
  readonly #file: OpenFile;
  readonly #path: string;
  readonly #size: number;
  #buffer: Buffer;
  /** The file's bytes from `offset` on that were read already. */
  #ahead: Buffer = Buffer.alloc(0);
  #offset = 0;
  #chain = 0;

  private constructor(file: OpenFile, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#size = size;
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, size));
  }

  static async open(file: OpenFile, path: string): Promise<FrameReader> {
    return new FrameReader(file, path, await file.size());
  }

  /** Where the frames that were read so far end. */
  get offset(): number {
    return this.#offset;
  }

  /** The checksum of the last frame that was read. */
  get chain(): number {
    return this.#chain;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#size - this.#offset;
  }

  /** The next payload, valid until the next call; undefined when no intact frame follows. */
  async next(): Promise<Buffer | undefined> {
    const header = await this.#peek(FRAME_HEADER);
    const length = frameLength(header);
    if (length === undefined || length > this.left) return undefined;
    const frame = await this.#peek(length);
    if (frame.length < length || !isIntact(frame)) return undefined;
    if (previousChecksum(frame) !== this.#chain) {
      throw damaged(this.#path, this.#offset, "what was written before this place is missing");
    }
    this.#offset += length;
    this.#chain = frameChecksum(frame);
    this.#ahead = this.#ahead.subarray(length);
    return frame.subarray(FRAME_HEADER);
  }

  /**
   * The offset of an intact frame after the place where reading stopped. A frame is begun only when the one before it is
   * durable; so if there is one, the place where reading stopped was not torn by a crash but damaged later.
   */
  async findLater(): Promise<number | undefined> {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, this.left));
    for (let at = this.#offset + 1; at < this.#size; at += Math.max(1, chunk.length - FRAME_MAGIC.length + 1)) {
      const bytes = chunk.subarray(0, await this.#file.read(chunk, at));
      for (let i = bytes.indexOf(FRAME_MAGIC); i >= 0; i = bytes.indexOf(FRAME_MAGIC, i + 1)) {
        if (await this.#isFrameAt(at + i)) return at + i;
      }
    }
    return undefined;
  }

  async #isFrameAt(offset: number): Promise<boolean> {
    const header = Buffer.allocUnsafeSlow(FRAME_HEADER);
    const length = frameLength(header.subarray(0, await this.#file.read(header, offset)));
    if (length === undefined || offset + length > this.#size) return false;
    const frame = Buffer.allocUnsafeSlow(length);
    return (await this.#file.read(frame, offset)) === length && isIntact(frame);
  }

  /** The next bytes of the file without going past them: fewer than asked for only at its end. */
  async #peek(length: number): Promise<Buffer> {
    if (this.#ahead.length < length) {
      const kept = this.#ahead;
      const target = length > this.#buffer.length ? Buffer.allocUnsafeSlow(length + CHUNK) : this.#buffer;
      kept.copy(target);
      this.#buffer = target;
      const read = await this.#file.read(target.subarray(kept.length), this.#offset + kept.length);
      this.#ahead = target.subarray(0, kept.length + read);
    }
    return this.#ahead.subarray(0, length);
  }
}
