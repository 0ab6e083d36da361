import { FRAME_HEADER, sealFrame } from "./frame.ts";
import type { OpenFile } from "./files.ts";
import { recordRoom, writeRecord } from "./record.ts";
import type { Record } from "./record.ts";

const KEEP = 1024 * 1024;

/** Appends frames to a file, each chained to the one before. One append at a time. */
export class FrameWriter {
  readonly file: OpenFile;
  /** Where the next frame goes: all before it was written. */
  offset: number;
  #chain: number;
  #buffer = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(file: OpenFile, offset: number, chain: number) {
    this.file = file;
    this.offset = offset;
    this.#chain = chain;
  }

  /** The checksum of the last frame. */
  get chain(): number {
    return this.#chain;
  }

  /** Writes one frame, not yet durable. When it rejects the file may be longer than `offset` says. */
  async append(records: Iterable<Record>): Promise<void> {
    let end = FRAME_HEADER;
    for (const record of records) {
      this.#makeRoom(end, recordRoom(record));
      end = writeRecord(record, this.#buffer, end);
    }
    const frame = this.#buffer.subarray(0, end);
    const checksum = sealFrame(frame, this.#chain);
    await this.file.write(frame, this.offset);
    this.offset += end;
    this.#chain = checksum;
    if (this.#buffer.length > KEEP) this.#buffer = Buffer.allocUnsafeSlow(KEEP);
  }

  #makeRoom(used: number, more: number): void {
    if (used + more <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used + more, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, used);
    this.#buffer = larger;
  }
}
