const [VARINT, BYTES] = [0, 2];

/**
 * Puts a message together from parts that are bytes already, with one allocation at the end. A general writer of messages costs more
 * than all else that a small update takes, once for every gateway.
 */
export class MessageBytes {
  readonly #parts: Uint8Array[] = [];

  number(field: number, value: bigint | number): void {
    this.#parts.push(Uint8Array.from([...varint(field * 8 + VARINT), ...varint(value)]));
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
  return Uint8Array.from([...varint(field * 8 + BYTES), ...varint(length)]);
}

/** Of whole numbers that are 0 or more. */
function varint(value: bigint | number): number[] {
  const bytes: number[] = [];
  // Bigints are slow: they are used for what no plain number can hold.
  for (; typeof value === "bigint" && value > Number.MAX_SAFE_INTEGER; value >>= 7n)
    bytes.push(Number(value & 0x7fn) | 0x80);
  let rest = Number(value);
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}
