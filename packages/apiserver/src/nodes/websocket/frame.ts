/** What a frame is, apart from those that carry data. */
export type Opcode = "continuation" | "text" | "binary" | "close" | "ping" | "pong";

export interface WebSocketFrame {
  readonly opcode: Opcode;
  /** The message ends with it. */
  readonly final: boolean;
  readonly payload: Buffer;
}

const OPCODES: ReadonlyMap<number, Opcode> = new Map([
  [0, "continuation"],
  [1, "text"],
  [2, "binary"],
  [8, "close"],
  [9, "ping"],
  [10, "pong"],
]);
const CODES: ReadonlyMap<Opcode, number> = new Map([...OPCODES].map(([code, name]) => [name, code]));

const FINAL = 0x80;
/** Close, ping and pong have it. */
const CONTROL = 0x08;
const MAX_CONTROL = 125;
/** More than a frame of any known client has. */
const MAX_PAYLOAD = 4 * 1024 * 1024;

/** Takes the first frame of a client off a buffer; undefined while it is not whole. Throws for what breaks RFC 6455. */
export function takeWebSocketFrame(
  buffer: Buffer,
): { readonly frame: WebSocketFrame; readonly size: number } | undefined {
  if (buffer.length < 2) return undefined;
  const [first = 0, second = 0] = buffer;
  const opcode = OPCODES.get(first & 0x0f);
  if (opcode === undefined || (first & 0x70) !== 0) throw new RangeError("a frame has a meaning that nobody agreed on");
  if ((second & 0x80) === 0) throw new RangeError("a frame of a client is not masked");
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const head = 2 + extra + 4;
  if (buffer.length < head) return undefined;
  const length = extra === 0 ? short : extra === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  if (first & CONTROL && (length > MAX_CONTROL || (first & FINAL) === 0)) {
    throw new RangeError("a frame that carries no data is too long or in parts");
  }
  if (length > MAX_PAYLOAD) throw new RangeError(`a frame of ${length} bytes is too long`);
  const size = head + length;
  if (buffer.length < size) return undefined;
  const mask = buffer.subarray(head - 4, head);
  const payload = Buffer.from(buffer.subarray(head, size));
  for (let i = 0; i < payload.length; i++) payload[i] = payload[i]! ^ mask[i & 3]!;
  return { frame: { opcode, final: (first & FINAL) !== 0, payload }, size };
}

/** A frame of the server: a whole message, not masked. */
export function webSocketFrame(opcode: Opcode, payload: Buffer): Buffer {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra);
  head[0] = 0x80 | (CODES.get(opcode) ?? 0);
  head[1] = extra === 0 ? length : extra === 2 ? 126 : 127;
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
