const [TEXT, CLOSE] = [1, 8];
const WHOLE = 0x80;
const MASKED = 0x80;
const MASK = Buffer.from([7, 77, 17, 71]);
/** A length of two bytes follows. */
const LONG = 126;

/** A text in one frame. Clients mask theirs. */
export function textFrame(text: string, masked: boolean): Buffer {
  return frame(TEXT, Buffer.from(text), masked);
}

export function closeFrame(masked: boolean): Buffer {
  return frame(CLOSE, Buffer.alloc(0), masked);
}

function frame(kind: number, payload: Buffer, masked: boolean): Buffer {
  const isLong = payload.length >= LONG;
  const head = Buffer.from([WHOLE | kind, (masked ? MASKED : 0) | (isLong ? LONG : payload.length)]);
  const length = Buffer.alloc(isLong ? 2 : 0);
  if (isLong) length.writeUInt16BE(payload.length);
  return Buffer.concat([head, length, ...(masked ? [MASK, unmasked(payload, MASK)] : [payload])]);
}

/** The texts of whole frames, whether one says that it is over, and the bytes of the frame that has only begun. */
export function readFrames(bytes: Buffer): {
  readonly texts: readonly string[];
  readonly isOver: boolean;
  readonly rest: Buffer;
} {
  const texts: string[] = [];
  let isOver = false;
  let at = 0;
  while (bytes.length >= at + 2) {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    const isMasked = (second & MASKED) !== 0;
    const isLong = (second & 0x7f) === LONG;
    const begin = at + 2 + (isLong ? 2 : 0) + (isMasked ? MASK.length : 0);
    if (bytes.length < begin) break;
    const length = isLong ? bytes.readUInt16BE(at + 2) : second & 0x7f;
    if (bytes.length < begin + length) break;
    const payload = bytes.subarray(begin, begin + length);
    if ((first & 0x0f) === CLOSE) isOver = true;
    else texts.push((isMasked ? unmasked(payload, bytes.subarray(begin - MASK.length, begin)) : payload).toString());
    at = begin + length;
  }
  return { texts, isOver, rest: bytes.subarray(at) };
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  return Buffer.from(payload.map((byte, at) => byte ^ (mask[at % MASK.length] ?? 0)));
}
