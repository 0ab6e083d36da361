/** The frames of SPDY/3 that a connection to a pod needs. Others are skipped. */
export type Frame =
  | { readonly type: "syn-stream"; readonly stream: number; readonly fin: boolean; readonly block: Buffer }
  | { readonly type: "data"; readonly stream: number; readonly fin: boolean; readonly data: Buffer }
  | { readonly type: "reset"; readonly stream: number }
  | { readonly type: "ping"; readonly id: number }
  | { readonly type: "other" };

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const FIN = 1;
const ID = 0x7fff_ffff;

/** More than a frame of any known client has. */
const MAX_FRAME = 1024 * 1024;
const HEAD = 8;

/** Takes the first frame off a buffer; undefined while it is not whole. Throws for what is no SPDY/3. */
export function takeFrame(buffer: Buffer): { readonly frame: Frame; readonly size: number } | undefined {
  if (buffer.length < HEAD) return undefined;
  const length = buffer.readUIntBE(5, 3);
  if (length > MAX_FRAME) throw new RangeError(`a frame of ${length} bytes is too long`);
  const size = HEAD + length;
  if (buffer.length < size) return undefined;
  return { frame: parse(buffer.readUInt32BE(0), buffer[4] ?? 0, buffer.subarray(HEAD, size)), size };
}

function parse(word: number, flags: number, payload: Buffer): Frame {
  const fin = (flags & FIN) !== 0;
  if (word >>> 31 === 0) return { type: "data", stream: word & ID, fin, data: payload };
  if (((word >>> 16) & 0x7fff) !== 3) throw new RangeError("a frame is of another version than 3");
  switch (word & 0xffff) {
    case SYN_STREAM:
      return { type: "syn-stream", stream: payload.readUInt32BE(0) & ID, fin, block: payload.subarray(10) };
    case RST_STREAM:
      return { type: "reset", stream: payload.readUInt32BE(0) & ID };
    case PING:
      return { type: "ping", id: payload.readUInt32BE(0) };
    default:
      return { type: "other" };
  }
}

function control(type: number, payload: Buffer): Buffer {
  const frame = Buffer.alloc(HEAD + payload.length);
  frame.writeUInt32BE((0x8003_0000 | type) >>> 0);
  frame.writeUIntBE(payload.length, 5, 3);
  payload.copy(frame, HEAD);
  return frame;
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
}

/** Says that a stream is accepted. */
export function synReply(stream: number, block: Buffer): Buffer {
  return control(SYN_REPLY, Buffer.concat([words(stream), block]));
}

/** Says that a stream is given up. */
export function resetStream(stream: number): Buffer {
  const CANCEL = 5;
  return control(RST_STREAM, words(stream, CANCEL));
}

/** Answers a ping. */
export function pingReply(id: number): Buffer {
  return control(PING, words(id));
}

/** The head of a data frame; the data follow it. */
export function dataHead(stream: number, length: number, fin: boolean): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(stream);
  head[4] = fin ? FIN : 0;
  head.writeUIntBE(length, 5, 3);
  return head;
}
