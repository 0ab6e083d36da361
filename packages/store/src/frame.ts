import { crc32 } from "node:zlib";

/*
 * All files of the store are sequences of frames: what was made durable in one step.
 *
 *   0   4  magic
 *   4   4  length of the payload
 *   8   4  checksum of the frame before it in the file, 0 for the first
 *   12  4  checksum of the bytes above and of the payload
 *   16     payload: records
 *
 * The magic is not UTF-8 and payloads carry only UTF-8 and small numbers, so no user can put a frame into a frame.
 */
export const FRAME_HEADER = 16;
export const FRAME_MAGIC = Buffer.from([0xf7, 0xff, 0x47, 0x57]);
const MOST_PAYLOAD = 512 * 1024 * 1024;

/** Fills in the header of a frame whose payload is complete. Returns its checksum. */
export function sealFrame(frame: Buffer, previous: number): number {
  FRAME_MAGIC.copy(frame);
  frame.writeUInt32LE(frame.length - FRAME_HEADER, 4);
  frame.writeUInt32LE(previous, 8);
  const checksum = checksumOf(frame);
  frame.writeUInt32LE(checksum, 12);
  return checksum;
}

/** The length of a whole frame by its header; undefined when this is no header. */
export function frameLength(header: Buffer): number | undefined {
  if (header.length < FRAME_HEADER || !header.subarray(0, 4).equals(FRAME_MAGIC)) return undefined;
  const length = header.readUInt32LE(4);
  return length > MOST_PAYLOAD ? undefined : FRAME_HEADER + length;
}

/** Whether a frame is what was written. */
export function isIntact(frame: Buffer): boolean {
  return frame.readUInt32LE(12) === checksumOf(frame);
}

export function frameChecksum(frame: Buffer): number {
  return frame.readUInt32LE(12);
}

export function previousChecksum(frame: Buffer): number {
  return frame.readUInt32LE(8);
}

function checksumOf(frame: Buffer): number {
  return crc32(frame.subarray(FRAME_HEADER), crc32(frame.subarray(0, 12)));
}
