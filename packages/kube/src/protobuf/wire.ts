/** Bytes that are not the message that they should be. The message is the server's. */
export class WireError extends Error {}

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
const START_GROUP = 3;
const END_GROUP = 4;
export const FIXED32 = 5;

/** Reads protobuf's wire format. Every read is checked against the end of the message; views share the input's memory. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** The next field's number and wire type. `message` names the type in errors. */
  tag(message: string): { number: number; wire: number } {
    const tag = this.unsigned();
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === END_GROUP) throw new WireError(`proto: ${message}: wiretype end group for non-group`);
    if (number <= 0 || number > 0x1fffffff) {
      throw new WireError(`proto: ${message}: illegal tag ${number} (wire type ${wire})`);
    }
    return { number, wire };
  }

  /** A varint as an unsigned number. Exact below 2^53. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new WireError("proto: integer overflow");
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** A varint as a signed 64-bit number. Exact within 2^53. */
  int64(): number {
    let [low, high] = [0, 0];
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new WireError("proto: integer overflow");
      const byte = this.#byte();
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) return (high | 0) * 2 ** 32 + (low >>> 0);
    }
  }

  int32(): number {
    return this.int64() | 0;
  }

  double(): number {
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  bytes(): Uint8Array {
    const length = this.#length();
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Text; bytes that are not UTF-8 become replacement characters, as they do when the server writes them. */
  string(): string {
    const { buffer, byteOffset, byteLength } = this.bytes();
    return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
  }

  /** A reader for the length-delimited message that comes next. */
  message(): WireReader {
    const length = this.#length();
    const at = this.#take(length);
    return new WireReader(this.#bytes, at, at + length);
  }

  /** Passes over a value. Groups may nest, and must end. */
  skip(wire: number): void {
    for (let depth = 0, next = wire; ; next = this.unsigned() % 8) {
      if (next === VARINT) this.unsigned();
      else if (next === FIXED64) this.#take(8);
      else if (next === BYTES) this.#take(this.#length());
      else if (next === START_GROUP) depth++;
      else if (next === END_GROUP) {
        if (depth === 0) throw new WireError("proto: unexpected end of group");
        depth--;
      } else if (next === FIXED32) this.#take(4);
      else throw new WireError(`proto: illegal wireType ${next}`);
      if (depth === 0) return;
    }
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new WireError("unexpected EOF");
    return this.#bytes[this.#at++]!;
  }

  #length(): number {
    const length = this.unsigned();
    if (length >= 2 ** 63) throw new WireError("proto: negative length found during unmarshaling");
    return length;
  }

  #take(count: number): number {
    const at = this.#at;
    if (count > this.#end - at) throw new WireError("unexpected EOF");
    this.#at += count;
    return at;
  }
}
