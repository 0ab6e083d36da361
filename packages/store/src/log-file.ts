import { fileName, headerRecord, parseHeader } from "./file-header.ts";
import type { FileHeader } from "./file-header.ts";
import type { Files } from "./files.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { readRecords } from "./record.ts";
import type { Record } from "./record.ts";
import { damaged } from "./store-file-error.ts";

/** Begins a log. When it resolves the empty log is durable under its name. No write had a revision above `limit` yet. */
export async function createLog(
  files: Files,
  directory: string,
  header: FileHeader,
  limit: number,
): Promise<FrameWriter> {
  const path = `${directory}/${fileName(header)}`;
  await files.remove(`${path}.tmp`);
  const file = await files.open(`${path}.tmp`, "create");
  try {
    const writer = new FrameWriter(file, 0, 0);
    await writer.append([headerRecord(header), { kind: "limit", revision: limit }]);
    await writer.file.sync();
    await files.rename(`${path}.tmp`, path);
    await files.syncDirectory(directory);
    return writer;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export interface ReadLog {
  readonly header: FileHeader;
  /** The writer that goes on after the last intact frame. */
  readonly writer: FrameWriter;
  /** How many bytes of a write that a crash had torn were cut off. */
  readonly cut: number;
}

/**
 * Reads a log to its end. Only the last log may end in a torn frame, which is cut off: it was never acknowledged. Any
 * other fault rejects and changes nothing.
 */
export async function readLog(
  files: Files,
  path: string,
  last: boolean,
  take: (record: Record) => void,
): Promise<ReadLog> {
  const file = await files.open(path, "edit");
  try {
    const reader = await FrameReader.open(file, path);
    let frame = await reader.next();
    const header = parseHeader(frame, path);
    for (let offset = 0; frame !== undefined; frame = await reader.next()) {
      takeRecords(frame, path, offset, take);
      offset = reader.offset;
    }
    const cut = reader.left;
    if (cut > 0) {
      const later = await reader.findLater();
      if (later !== undefined) {
        throw damaged(path, reader.offset, `its checksum is wrong and intact data follows at byte ${later}`);
      }
      if (!last) throw damaged(path, reader.offset, "its end is missing and a later log exists");
      await file.truncate(reader.offset);
      await file.sync();
    }
    return { header, writer: new FrameWriter(file, reader.offset, reader.chain), cut };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function takeRecords(frame: Buffer, path: string, offset: number, take: (record: Record) => void): void {
  try {
    for (const record of readRecords(frame)) take(record);
  } catch (error) {
    throw damaged(path, offset, `it cannot be read (${String(error)})`);
  }
}
