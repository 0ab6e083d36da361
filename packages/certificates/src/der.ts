/*
 * DER, the one encoding of ASN.1 that certificates use: just the forms that a certificate needs. Each function gives a whole
 * element: tag, length, contents.
 */
const TAGS = { boolean: 0x01, bits: 0x03, octets: 0x04, id: 0x06, text: 0x0c, sequence: 0x30, set: 0x31 } as const;

/** An element with this tag around the given contents. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const size = contents.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(size)]), ...contents]);
}

export const sequence = (...elements: readonly Uint8Array[]): Buffer => element(TAGS.sequence, ...elements);
export const set = (...elements: readonly Uint8Array[]): Buffer => element(TAGS.set, ...elements);
export const octets = (bytes: Uint8Array): Buffer => element(TAGS.octets, bytes);
export const text = (value: string): Buffer => element(TAGS.text, Buffer.from(value));
export const TRUE = element(TAGS.boolean, Buffer.from([0xff]));
export const NULL = element(0x05);

/** Whole bytes as a bit string; `unused` counts the bits at its end that mean nothing. */
export const bits = (bytes: Uint8Array, unused = 0): Buffer => element(TAGS.bits, Buffer.from([unused]), bytes);

/** A positive number, most significant byte first and without leading zeros. */
export function integer(bytes: Uint8Array): Buffer {
  const sign = (bytes[0] ?? 0) >= 0x80 || bytes.length === 0 ? [0] : [];
  return element(0x02, Buffer.from(sign), bytes);
}

/** An object identifier, written as `2.5.29.17`. */
export function id(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(TAGS.id, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** A second in UTC. Years up to 2049 have two digits, as X.509 demands (RFC 5280, 4.1.2.5). */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  const short = Number(digits.slice(0, 4)) < 2050;
  return element(short ? 0x17 : 0x18, Buffer.from(short ? digits.slice(2) : digits));
}

/** The elements inside an element, each with tag and length. The input must be well-formed. */
export function elementsIn(der: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bounds(der, 0).start; at < der.length;) {
    const { end } = bounds(der, at);
    found.push(der.subarray(at, end));
    at = end;
  }
  return found;
}

/** What an element holds, without its tag and length. */
export function contentsOf(der: Buffer): Buffer {
  const { start, end } = bounds(der, 0);
  return der.subarray(start, end);
}

function bounds(der: Buffer, at: number): { start: number; end: number } {
  const short = der.readUInt8(at + 1);
  const more = short < 0x80 ? 0 : short & 0x7f;
  const size = more === 0 ? short : der.readUIntBE(at + 2, more);
  const start = at + 2 + more;
  if (start + size > der.length) throw new Error("a DER element is longer than what holds it");
  return { start, end: start + size };
}

function lengthBytes(size: number): number[] {
  if (size < 0x80) return [size];
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
