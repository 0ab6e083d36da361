import { wireLabels } from "./domain-name.ts";
import type { DomainName } from "./domain-name.ts";
import { isProblem } from "./rdata-fields.ts";
import { readRdata } from "./rdata.ts";
import { typeCode } from "./record-type.ts";
import type { FoundRecord } from "./zone-lookup.ts";

/** An answer before it is bytes. */
export interface Message {
  readonly id: number;
  readonly flags: number;
  readonly code: number;
  /** The question as it came; none where it could not be read. */
  readonly question: Uint8Array | undefined;
  /** The name of the question: it is written by pointing at the question, which keeps the client's capital letters. */
  readonly name: DomainName;
  readonly answers: readonly FoundRecord[];
  readonly authorities: readonly FoundRecord[];
  /** Whether to say which extensions the server has; only to clients that have them. */
  readonly extensions: boolean;
}

/** The largest datagram that is sent, whatever a client says it takes: larger ones get lost on real networks. */
export const LARGEST_DATAGRAM = 1232;

const HEADER = 12;
const TRUNCATED = 0x0200;
const OPT_LENGTH = 11;

/** Writes a message in at most `limit` bytes. When not all records fit it has none of them and the mark that says so. */
export function writeMessage(message: Message, limit: number): Uint8Array {
  const whole = write(message, limit);
  return (
    whole ??
    write({ ...message, flags: message.flags | TRUNCATED, answers: [], authorities: [] }, limit) ??
    new Uint8Array()
  );
}

function write(message: Message, limit: number): Uint8Array | undefined {
  const bytes = Buffer.alloc(limit);
  const names = new Map<DomainName, number>();
  let at = HEADER;
  /** Whether so many more bytes fit. */
  const fits = (more: number): boolean => at + more <= limit;
  const put = (part: Uint8Array): boolean => {
    if (!fits(part.length)) return false;
    bytes.set(part, at);
    at += part.length;
    return true;
  };
  const sixteen = (value: number): boolean => put(Uint8Array.of(value >> 8, value & 0xff));
  const putName = (name: DomainName, shorten: boolean): boolean => {
    const labels = wireLabels(name);
    let rest = name;
    for (const label of labels) {
      const known = names.get(rest);
      if (shorten && known !== undefined) return sixteen(0xc000 | known);
      if (known === undefined && at < 0x4000) names.set(rest, at);
      if (!put(Uint8Array.of(label.length)) || !put(label)) return false;
      rest = rest.slice(rest.indexOf(".") + 1);
    }
    return put(Uint8Array.of(0));
  };
  const putRecord = (record: FoundRecord): boolean => {
    const type = typeCode(record.type);
    const data = readRdata(record.type, record.value);
    // Zones hold only what this reader took when it was written.
    if (type === undefined || isProblem(data)) throw new TypeError(`a record of type ${record.type} cannot be written`);
    if (!putName(record.name, true) || !fits(10)) return false;
    bytes.writeUInt16BE(type, at);
    bytes.writeUInt16BE(1, at + 2);
    bytes.writeUInt32BE(record.ttl, at + 4);
    const length = at + 8;
    at += 10;
    for (const part of data) {
      if (part instanceof Uint8Array ? !put(part) : !putName(part.name, part.shorten)) return false;
    }
    bytes.writeUInt16BE(at - length - 2, length);
    return true;
  };

  if (message.question) {
    let offset = HEADER;
    let rest = message.name;
    for (const label of wireLabels(message.name)) {
      names.set(rest, offset);
      offset += 1 + label.length;
      rest = rest.slice(rest.indexOf(".") + 1);
    }
    if (!put(message.question)) return undefined;
  }
  for (const record of [...message.answers, ...message.authorities]) if (!putRecord(record)) return undefined;
  if (message.extensions) {
    if (!fits(OPT_LENGTH)) return undefined;
    bytes.writeUInt16BE(41, at + 1);
    bytes.writeUInt16BE(LARGEST_DATAGRAM, at + 3);
    bytes.writeUInt8(message.code >> 4, at + 5);
    at += OPT_LENGTH;
  }
  bytes.writeUInt16BE(message.id, 0);
  bytes.writeUInt16BE((message.flags & 0xfff0) | (message.code & 0xf), 2);
  bytes.writeUInt16BE(message.question ? 1 : 0, 4);
  bytes.writeUInt16BE(message.answers.length, 6);
  bytes.writeUInt16BE(message.authorities.length, 8);
  bytes.writeUInt16BE(message.extensions ? 1 : 0, 10);
  return bytes.subarray(0, at);
}
