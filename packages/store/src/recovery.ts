import { fileName, parseFileName } from "./file-header.ts";
import type { FileHeader } from "./file-header.ts";
import type { Files } from "./files.ts";
import type { FrameWriter } from "./frame-writer.ts";
import type { JournalWrite } from "./journal.ts";
import { createLog, readLog } from "./log-file.ts";
import { readSnapshot } from "./snapshot-file.ts";
import type { TableState } from "./snapshot-file.ts";
import { StoreFileError, damaged } from "./store-file-error.ts";
import type { StoreLog } from "./store-log.ts";

/** Who is told what the files hold, oldest first. */
export interface RecoveryTarget {
  /** Called once, first, with the state at a revision. */
  load(tables: readonly TableState[], revision: number): void;
  /** Called for each write after it. */
  replay(write: JournalWrite): void;
}

export interface Recovered {
  readonly generation: number;
  readonly log: FrameWriter;
  /** No write ever had a higher revision. */
  readonly limit: number;
  /** Size of all logs that a start has to replay. */
  readonly logBytes: number;
}

/**
 * Brings back what a directory holds: the newest snapshot and the logs from its generation on. Leftovers of a compaction
 * that a crash interrupted are removed, a torn end is cut. Rejects when anything else is not as it was written.
 */
export async function recover(
  files: Files,
  directory: string,
  target: RecoveryTarget,
  log: StoreLog | undefined,
): Promise<Recovered> {
  const found = await findFiles(files, directory);
  const newest = found.snapshots.at(-1);
  const loaded = newest === undefined ? undefined : await readSnapshot(files, `${directory}/${newest.name}`);
  target.load(loaded?.tables ?? [], loaded?.header.revision ?? 0);
  let limit = 0;

  const first = newest?.generation ?? 1;
  const logs = found.logs.filter((file) => file.generation >= first);
  if (logs.length === 0 && newest === undefined) {
    const header: FileHeader = { kind: "log", generation: first, revision: 0, previous: 0 };
    const writer = await createLog(files, directory, header, limit);
    return { generation: first, log: writer, limit, logBytes: writer.offset };
  }
  checkComplete(
    directory,
    first,
    logs.map((file) => file.generation),
  );

  let writer: FrameWriter | undefined;
  let logBytes = 0;
  for (const [index, { name }] of logs.entries()) {
    const path = `${directory}/${name}`;
    await writer?.file.close();
    const before = writer?.chain;
    const read = await readLog(files, path, index === logs.length - 1, (record) => {
      if (record.kind === "limit") limit = record.revision;
      if (record.kind !== "write") return;
      limit = Math.max(limit, record.entry.revision);
      target.replay({ table: record.table, type: record.type, entry: record.entry });
    });
    writer = read.writer;
    logBytes += writer.offset;
    if (before !== undefined && read.header.previous !== before) {
      await writer.file.close();
      throw damaged(path, 0, "the log before it has another end than this one was written for");
    }
    if (read.cut > 0)
      log?.("cut off a write that a crash had interrupted", { file: path, at: writer.offset, bytes: read.cut });
  }
  await removeOlder(files, directory, first);
  return { generation: logs.at(-1)!.generation, log: writer!, limit, logBytes };
}

/** Removes logs and snapshots that a newer snapshot stands for. */
export async function removeOlder(files: Files, directory: string, generation: number): Promise<void> {
  for (const name of await files.list(directory)) {
    const file = parseFileName(name);
    if (file !== undefined && file.generation < generation) await files.remove(`${directory}/${name}`);
  }
}

interface FoundFile {
  readonly name: string;
  readonly generation: number;
}

async function findFiles(files: Files, directory: string): Promise<{ snapshots: FoundFile[]; logs: FoundFile[] }> {
  const snapshots: FoundFile[] = [];
  const logs: FoundFile[] = [];
  for (const name of await files.list(directory)) {
    if (name.endsWith(".tmp") && parseFileName(name.slice(0, -4)) !== undefined)
      await files.remove(`${directory}/${name}`);
    const file = parseFileName(name);
    if (file !== undefined) (file.kind === "log" ? logs : snapshots).push({ name, generation: file.generation });
  }
  const byGeneration = (a: FoundFile, b: FoundFile): number => a.generation - b.generation;
  return { snapshots: snapshots.toSorted(byGeneration), logs: logs.toSorted(byGeneration) };
}

function checkComplete(directory: string, first: number, generations: readonly number[]): void {
  for (let i = 0; i < Math.max(generations.length, 1); i++) {
    if (generations[i] === first + i) continue;
    const path = `${directory}/${fileName({ kind: "log", generation: first + i })}`;
    const advice = "Restore the directory from a backup, or move it away to start with an empty store";
    throw new StoreFileError(path, undefined, "the file is missing, and writes with it", advice);
  }
}
