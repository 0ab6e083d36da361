import { labelsFromJson, ownBytes } from "./entry.ts";
import type { ChangeType, Entry } from "./store.ts";

/** What a payload is made of. */
export type Record =
  /** First in each file: what it is. */
  | { readonly kind: "header"; readonly json: string }
  /** An object, or its deletion: that one has neither bytes nor labels, so that on a full disk much can be deleted. */
  | { readonly kind: "write"; readonly type: ChangeType; readonly table: string; readonly entry: Entry }
  /** No higher revision was given to a write before the next such record. */
  | { readonly kind: "limit"; readonly revision: number }
  /** Last in a snapshot: how many objects are in it. */
  | { readonly kind: "end"; readonly count: number };

/*
 *   0   1  kind
 *   1   6  revision, or count
 *   7   2  length of the table's name
 *   9   4  length of the key
 *   13  4  length of the labels
 *   17  4  length of the bytes
 *   21     table, key, labels as JSON, bytes
 */
const FIXED = 21;
const KINDS = { header: 1, limit: 2, end: 3, ADDED: 16, MODIFIED: 17, DELETED: 18 } as const;
const TYPES = new Map<number, ChangeType>([
  [KINDS.ADDED, "ADDED"],
  [KINDS.MODIFIED, "MODIFIED"],
  [KINDS.DELETED, "DELETED"],
]);
const NO_BYTES = Buffer.alloc(0);

/** An upper bound for the encoded size of a record. */
export function recordRoom(record: Record): number {
  if (record.kind === "header") return FIXED + 3 * record.json.length;
  if (record.kind !== "write") return FIXED;
  const { key, bytes, labels } = record.entry;
  if (record.type === "DELETED") return FIXED + 3 * (record.table.length + key.length);
  const labelsRoom = labels === undefined ? 0 : 3 * JSON.stringify(labels).length;
  return FIXED + 3 * (record.table.length + key.length) + labelsRoom + bytes.length;
}

/** Writes a record where there is room for it. Returns the offset after it. */
export function writeRecord(record: Record, into: Buffer, at: number): number {
  switch (record.kind) {
    case "header":
      return fill(into, at, KINDS.header, 0, "", record.json, "", NO_BYTES);
    case "limit":
      return fill(into, at, KINDS.limit, record.revision, "", "", "", NO_BYTES);
    case "end":
      return fill(into, at, KINDS.end, record.count, "", "", "", NO_BYTES);
    case "write": {
      const { key, revision, labels, bytes } = record.entry;
      if (record.type === "DELETED") return fill(into, at, KINDS.DELETED, revision, record.table, key, "", NO_BYTES);
      const labelsJson = labels === undefined ? "" : JSON.stringify(labels);
      return fill(into, at, KINDS[record.type], revision, record.table, key, labelsJson, bytes);
    }
  }
}

function fill(
  into: Buffer,
  at: number,
  kind: number,
  number: number,
  table: string,
  key: string,
  labels: string,
  bytes: Buffer,
): number {
  const tableAt = at + FIXED;
  const keyAt = tableAt + into.write(table, tableAt);
  const labelsAt = keyAt + into.write(key, keyAt);
  const bytesAt = labelsAt + into.write(labels, labelsAt);
  bytes.copy(into, bytesAt);
  into[at] = kind;
  into.writeUIntLE(number, at + 1, 6);
  into.writeUInt16LE(keyAt - tableAt, at + 7);
  into.writeUInt32LE(labelsAt - keyAt, at + 9);
  into.writeUInt32LE(bytesAt - labelsAt, at + 13);
  into.writeUInt32LE(bytes.length, at + 17);
  return bytesAt + bytes.length;
}

/** The records of a payload whose checksum was right. Entries share no memory with it. */
export function* readRecords(payload: Buffer): Generator<Record, undefined> {
  for (let at = 0; at < payload.length;) {
    const kind = payload[at]!;
    const number = payload.readUIntLE(at + 1, 6);
    const tableAt = at + FIXED;
    const keyAt = tableAt + payload.readUInt16LE(at + 7);
    const labelsAt = keyAt + payload.readUInt32LE(at + 9);
    const bytesAt = labelsAt + payload.readUInt32LE(at + 13);
    const end = bytesAt + payload.readUInt32LE(at + 17);
    if (end > payload.length) throw new RangeError("a record is longer than its frame");
    at = end;
    const type = TYPES.get(kind);
    const key = payload.toString("utf8", keyAt, labelsAt);
    if (type !== undefined) {
      const labels = labelsFromJson(payload.toString("utf8", labelsAt, bytesAt));
      const entry: Entry = { key, revision: number, bytes: ownBytes(payload.subarray(bytesAt, end)), labels };
      yield { kind: "write", type, table: payload.toString("utf8", tableAt, keyAt), entry };
    } else if (kind === KINDS.limit) {
      yield { kind: "limit", revision: number };
    } else if (kind === KINDS.end) {
      yield { kind: "end", count: number };
    } else if (kind === KINDS.header) {
      yield { kind: "header", json: key };
    } else {
      throw new RangeError(`a record has the unknown kind ${kind}`);
    }
  }
}
