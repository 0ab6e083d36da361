/** Frames of HTTP/2 as bytes, right or wrong: what a library would not let a client write. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export type Field = readonly [name: string, value: string];

/** HPACK without compression: every field a literal that is not indexed, bytes as they are. */
export function fieldBlock(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** A field that goes into the table of both sides, from where it can be named by one byte: the first is 62. */
export function indexedField(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0x40]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  return Buffer.concat([integer(bytes.length), bytes]);
}

function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** The head of a request in one frame. */
export function request(stream: number, fields: readonly Field[], flags: number = FLAG.endStream): Buffer {
  return frame(FRAME.headers, flags | FLAG.endHeaders, stream, fieldBlock(fields));
}

export const GET: readonly Field[] = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "a.test"],
];

export const POST: readonly Field[] = [[":method", "POST"], ...GET.slice(1)];

export function reset(stream: number, code = 8): Buffer {
  return frame(FRAME.reset, 0, stream, number(code));
}

export function windowUpdate(stream: number, increment: number): Buffer {
  return frame(FRAME.windowUpdate, 0, stream, number(increment));
}

export function settings(pairs: readonly (readonly [id: number, value: number])[] = []): Buffer {
  const payload = Buffer.alloc(pairs.length * 6);
  pairs.forEach(([id, value], at) => {
    payload.writeUInt16BE(id, at * 6);
    payload.writeUInt32BE(value, at * 6 + 2);
  });
  return frame(FRAME.settings, 0, 0, payload);
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
