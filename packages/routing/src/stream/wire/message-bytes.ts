const [VARINT, BYTES] = [0, 2];

/**
 * Puts a message together from parts that are bytes already, with one allocation at the end. A general writer of messages costs more
 * than all else that a small update takes, once for every gateway.
 */
export class MessageBytes {
  readonly #parts: Uint8Array[] = [];

  number(field: number, value: bigint | number): void {
    this.#parts.push(Uint8Array.from([...varint(BigInt(field * 8 + VARINT)), ...varint(BigInt(value))]));
  }

  text(field: number, value: string): void {
    this.bytes(field, Buffer.from(value));
  }

  bytes(field: number, value: Uint8Array): void {
    this.#parts.push(headOf(field, value.byteLength), value);
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

function headOf(field: number, length: number): Uint8Array {
  return Uint8Array.from([...smallVarint(field * 8 + BYTES), ...smallVarint(length)]);
}

/** Of whole numbers below 2^31. */
function smallVarint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  bytes.push(value);
  return bytes;
}

/** Of numbers that are 0 or more. */
function varint(value: bigint): number[] {
  if (value < 0x7fffffffn) return smallVarint(Number(value));
  const bytes: number[] = [];
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  bytes.push(Number(value));
  return bytes;
}
