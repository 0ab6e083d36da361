/** A message of gRPC: not compressed, its length, its bytes. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** `HealthCheckRequest { string service = 1 }`, framed. */
export function healthQuestion(service: string): Buffer {
  const name = Buffer.from(service);
  if (name.length === 0) return framed(new Uint8Array());
  const length: number[] = [];
  for (let left = name.length; ; left >>>= 7) {
    if (left < 0x80) {
      length.push(left);
      break;
    }
    length.push((left & 0x7f) | 0x80);
  }
  return framed(Buffer.concat([Buffer.from([0x0a, ...length]), name]));
}

const SERVING = 1;

/** Whether a framed `HealthCheckResponse { ServingStatus status = 1 }` says `SERVING`. */
export function isServing(frame: Buffer): boolean {
  if (frame.length < 5 || frame[0] !== 0 || frame.readUInt32BE(1) !== frame.length - 5) return false;
  let at = 5;
  let status = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = frame[at++];
      if (byte === undefined) return -1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return -1;
  };
  while (at < frame.length) {
    const tag = varint();
    const type = tag & 7;
    if (tag < 0 || (type !== 0 && type !== 2)) return false;
    const value = varint();
    if (value < 0) return false;
    if (type === 2) at += value;
    else if (tag >>> 3 === 1) status = value;
  }
  return at === frame.length && status === SERVING;
}
