import { BYTES, FIXED64, VARINT } from "./wire.ts";

const FIRST_SIZE = 4096;
const LONGEST_VARINT = 10;

/** Writes protobuf's wire format into memory that grows. Nothing is left out: a zero or an empty text is written as such. */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #at = 0;

  string(number: number, value: string): void {
    this.#tag(number, BYTES);
    const length = Buffer.byteLength(value);
    this.#varint(length);
    this.#reserve(length);
    this.#at += this.#bytes.write(value, this.#at);
  }

  bool(number: number, value: boolean): void {
    this.#tag(number, VARINT);
    this.#varint(value ? 1 : 0);
  }

  /** Exact within 2^53; fractions are cut off. */
  int64(number: number, value: number): void {
    this.#tag(number, VARINT);
    this.#reserve(LONGEST_VARINT);
    let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#at++] = Number(rest & 127n) | 128;
    this.#bytes[this.#at++] = Number(rest);
  }

  double(number: number, value: number): void {
    this.#tag(number, FIXED64);
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** A message of the fields that `write` writes, which may be none. */
  message(number: number, write: () => void): void {
    this.#tag(number, BYTES);
    const start = this.#at;
    write();
    const end = this.#at;
    // The length is known only now: it goes behind the content at first, which shows how much room it takes.
    this.#varint(end - start);
    const size = this.#at - end;
    this.#bytes.copyWithin(start + size, start, end);
    this.#at = start;
    this.#varint(end - start);
    this.#at = end + size;
  }

  /** What was written so far, in memory of its own. */
  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  #tag(number: number, wire: number): void {
    this.#varint(number * 8 + wire);
  }

  /** Lengths and tags: below 2^31. */
  #varint(value: number): void {
    this.#reserve(LONGEST_VARINT);
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#at++] = (rest & 127) | 128;
    this.#bytes[this.#at++] = rest;
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + count));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
