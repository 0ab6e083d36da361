import { fileName, headerRecord, parseHeader } from "./file-header.ts";
import type { FileHeader } from "./file-header.ts";
import type { Files } from "./files.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { OrderedMap } from "./ordered-map.ts";
import { readRecords } from "./record.ts";
import type { Record } from "./record.ts";
import { damaged } from "./store-file-error.ts";
import type { Entry } from "./store.ts";

export interface TableState {
  readonly name: string;
  readonly state: OrderedMap<Entry>;
}

const FRAME_BYTES = 512 * 1024;
/** What has not reached the disk yet is what commits may have to wait for. */
const SYNC_EVERY_BYTES = 4 * 1024 * 1024;

/**
 * Writes all tables into a file that is durable under its name when this resolves, and not there at all when it rejects.
 * Other work goes on between its frames.
 */
export async function writeSnapshot(
  files: Files,
  directory: string,
  header: FileHeader,
  tables: readonly TableState[],
  signal: AbortSignal,
): Promise<void> {
  const path = `${directory}/${fileName(header)}`;
  await files.remove(`${path}.tmp`);
  const file = await files.open(`${path}.tmp`, "create");
  try {
    const writer = new FrameWriter(file, 0, 0);
    await writer.append([headerRecord(header)]);
    let synced = 0;
    for (const records of frames(tables)) {
      signal.throwIfAborted();
      await writer.append(records);
      if (writer.offset - synced < SYNC_EVERY_BYTES) continue;
      await file.sync();
      synced = writer.offset;
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await files.remove(`${path}.tmp`);
    throw error;
  }
  await file.close();
  await files.rename(`${path}.tmp`, path);
  await files.syncDirectory(directory);
}

function* frames(tables: readonly TableState[]): Generator<Record[], undefined> {
  let records: Record[] = [];
  let bytes = 0;
  let count = 0;
  for (const { name, state } of tables) {
    for (const entry of state.from("")) {
      records.push({ kind: "write", type: "ADDED", table: name, entry });
      count++;
      bytes += entry.bytes.length;
      if (bytes < FRAME_BYTES) continue;
      yield records;
      records = [];
      bytes = 0;
    }
  }
  yield [...records, { kind: "end", count }];
}

/** Reads a snapshot. It is complete under its name or damaged: there is no torn one. */
export async function readSnapshot(
  files: Files,
  path: string,
): Promise<{ readonly header: FileHeader; readonly tables: readonly TableState[] }> {
  const file = await files.open(path, "read");
  try {
    const reader = await FrameReader.open(file, path);
    const header = parseHeader(await reader.next(), path);
    const tables = new Map<string, Entry[]>();
    let count = 0;
    let complete = false;
    for (let frame = await reader.next(); frame !== undefined; frame = await reader.next()) {
      for (const record of readRecords(frame)) {
        if (record.kind === "end") complete = record.count === count;
        if (record.kind !== "write") continue;
        const entries = tables.get(record.table);
        if (entries === undefined) tables.set(record.table, [record.entry]);
        else entries.push(record.entry);
        count++;
      }
    }
    if (!complete || reader.left > 0) throw damaged(path, reader.offset, "its checksum is wrong or its end is missing");
    return { header, tables: [...tables].map(([name, entries]) => ({ name, state: OrderedMap.fromSorted(entries) })) };
  } finally {
    await file.close();
  }
}
