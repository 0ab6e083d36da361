import type { CancelTimer, Clock } from "@gatewright/ports";
import type { DiskReserve } from "./disk-reserve.ts";
import { isOutOfSpace } from "./disk-reserve.ts";
import { fileName } from "./file-header.ts";
import type { Files } from "./files.ts";
import type { FrameWriter } from "./frame-writer.ts";
import type { Journal, JournalGroup, VisibleState } from "./journal.ts";
import { createLog } from "./log-file.ts";
import type { Record } from "./record.ts";
import { removeOlder } from "./recovery.ts";
import type { Recovered } from "./recovery.ts";
import { writeSnapshot } from "./snapshot-file.ts";
import type { StoreLog } from "./store-log.ts";
import type { Unavailable } from "./value-rules.ts";
import type { StoreHealth } from "./store.ts";

/** Revisions are set aside on disk in blocks, so that none is given twice, whatever became of its write. */
const REVISION_BLOCK = 100_000;
const MOST_BATCH_BYTES = 4 * 1024 * 1024;
const LOOK_FOR_SPACE_EVERY_MS = 1000;
const RETRY_BYTES = 1024 * 1024;

type DiskState =
  | { readonly kind: "writable" }
  /** Only writes that free space are taken, out of the reserve, until the reserve can be held again. */
  | { readonly kind: "full" }
  /** What is on disk is not known any more: nothing is taken until a restart has read it. */
  | { readonly kind: "broken"; readonly why: string };

export interface DiskJournalOptions {
  readonly files: Files;
  readonly directory: string;
  readonly clock: Clock;
  readonly reserve: DiskReserve;
  readonly unlock: () => Promise<void>;
  readonly log: StoreLog | undefined;
  readonly unavailable: Unavailable;
  /** A log is never compacted before it has this size. */
  readonly compactFromBytes: number;
}

/**
 * Makes writes durable in an append-only log: one write and one sync for each batch. When the logs outgrow the data, a new
 * log is begun and a snapshot of what was before it is written meanwhile.
 */
export class DiskJournal implements Journal {
  readonly #options: DiskJournalOptions;
  #state: DiskState = { kind: "writable" };
  #log: FrameWriter;
  #generation: number;
  #limit: number;
  readonly #limitAtStart: number;
  #logBytes: number;
  /** How things were when a compaction failed. It is tried again when much has been written or deleted since. */
  #failedAt: { readonly logBytes: number; readonly liveBytes: number } | undefined;
  #compaction: Promise<void> = Promise.resolve();
  #compacting = false;
  #cancelLook: CancelTimer = () => {};
  #look: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();

  constructor(options: DiskJournalOptions, recovered: Recovered) {
    this.#options = options;
    this.#log = recovered.log;
    this.#generation = recovered.generation;
    this.#limit = this.#limitAtStart = recovered.limit;
    this.#logBytes = recovered.logBytes;
  }

  get lastRevision(): number {
    return this.#limit;
  }

  /** Sets the first revisions aside and takes the reserve. On a full disk it resolves, and reads are served. */
  async start(): Promise<void> {
    if (!(await this.#options.reserve.hold())) await this.#becomeFull();
    await this.#setFirstAside();
  }

  /**
   * Sets the first revisions aside; false when there is no space for it. Until it has succeeded no write gets a revision, so
   * that nobody else appends meanwhile.
   */
  async #setFirstAside(): Promise<boolean> {
    try {
      await this.#append([], this.#limit + REVISION_BLOCK);
      return true;
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      return false;
    }
  }

  refusal(releases: () => boolean): Error | undefined {
    if (this.#state.kind === "broken") return this.#options.unavailable(this.#state.why);
    if (this.#state.kind === "full" && !releases()) return this.#noSpace();
    return undefined;
  }

  batchSize(waiting: readonly JournalGroup[]): number {
    let bytes = 0;
    const end = waiting.findIndex(({ writes }) => {
      for (const { entry } of writes) bytes += entry.bytes.length;
      return bytes > MOST_BATCH_BYTES;
    });
    return end === -1 ? waiting.length : Math.max(end, 1);
  }

  async commit(groups: readonly JournalGroup[]): Promise<void> {
    const last = groups.at(-1)!.writes.at(-1)!.entry.revision;
    const limit = this.#limit - last < REVISION_BLOCK / 2 ? last + REVISION_BLOCK : undefined;
    try {
      await this.#append(groups, limit);
    } catch (error) {
      throw this.#state.kind === "broken" ? this.#options.unavailable(this.#state.why) : this.#noSpace(error);
    }
  }

  async settled(visible: VisibleState): Promise<void> {
    if (this.#compacting || this.#state.kind === "broken") return;
    const liveBytes = visible.bytes();
    const least = this.#state.kind === "full" ? 0 : this.#options.compactFromBytes;
    if (this.#logBytes < Math.max(least, liveBytes) || this.#failedLately(liveBytes)) return;
    await this.#compact(visible, liveBytes);
  }

  #failedLately(liveBytes: number): boolean {
    if (this.#failedAt === undefined) return false;
    const written = this.#logBytes >= 1.25 * this.#failedAt.logBytes + RETRY_BYTES;
    return !written && liveBytes > 0.75 * this.#failedAt.liveBytes;
  }

  health(): StoreHealth {
    if (this.#state.kind === "writable") return { ok: true };
    return { ok: false, why: this.#state.kind === "broken" ? this.#state.why : this.#noSpace().message };
  }

  async close(taken: number): Promise<void> {
    this.#cancelLook();
    this.#ending.abort();
    await Promise.all([this.#compaction, this.#look]);
    try {
      if (this.#state.kind !== "broken") await this.#append([], taken);
    } catch {
      // Only the next start would have used it, to give revisions without a gap.
    }
    // Everything that counts was synced: an error here tells nothing.
    await this.#log.file.close().catch(() => {});
    await this.#options.unlock();
  }

  /** Appends one durable frame. When it rejects for want of space, the log is as before; otherwise the journal is broken. */
  async #append(groups: readonly JournalGroup[], limit: number | undefined): Promise<void> {
    if (this.#state.kind === "broken") throw new Error(this.#state.why);
    const before = this.#log.offset;
    try {
      await this.#log.append(recordsOf(groups, limit));
    } catch (error) {
      if (isOutOfSpace(error)) await this.#cutBack(before);
      else this.#becomeBroken(error);
      throw error;
    }
    try {
      await this.#log.file.sync();
    } catch (error) {
      this.#becomeBroken(error);
      throw new Error("the log could not be synced", { cause: error });
    }
    this.#logBytes += this.#log.offset - before;
    this.#limit = limit ?? this.#limit;
  }

  /** Begins a new log and then, in the background, writes what was before it as a snapshot. */
  async #compact(visible: VisibleState, liveBytes: number): Promise<void> {
    const { files, directory } = this.#options;
    const logBytes = this.#logBytes;
    const generation = this.#generation + 1;
    const { revision } = visible;
    try {
      await this.#beginLog(revision);
    } catch (error) {
      return this.#compactionFailed(error, liveBytes);
    }
    const tables = visible.tables();
    const header = { kind: "snapshot", generation, revision, previous: 0 } as const;
    this.#compacting = true;
    this.#compaction = writeSnapshot(files, directory, header, tables, this.#ending.signal)
      .then(() => {
        this.#logBytes -= logBytes;
        this.#failedAt = undefined;
        return removeOlder(files, directory, generation);
      })
      .catch((error: unknown) => this.#compactionFailed(error, liveBytes))
      .finally(() => (this.#compacting = false));
  }

  async #beginLog(revision: number): Promise<void> {
    const { files, directory } = this.#options;
    const header = { kind: "log", generation: this.#generation + 1, revision, previous: this.#log.chain } as const;
    const next = await createLog(files, directory, header, this.#limit).catch(async (error: unknown) => {
      const path = `${directory}/${fileName(header)}`;
      try {
        for (const left of [`${path}.tmp`, path]) await files.remove(left);
        await files.syncDirectory(directory);
      } catch {
        this.#becomeBroken(error);
      }
      throw error;
    });
    const old = this.#log;
    this.#log = next;
    this.#generation++;
    this.#logBytes += next.offset;
    await old.file.close().catch(() => {});
  }

  #compactionFailed(error: unknown, liveBytes: number): void {
    this.#failedAt = { logBytes: this.#logBytes, liveBytes };
    if (this.#ending.signal.aborted) return;
    this.#options.log?.("the store could not be compacted", { directory: this.#options.directory, error });
  }

  async #cutBack(offset: number): Promise<void> {
    try {
      await this.#log.file.truncate(offset);
      await this.#becomeFull();
    } catch (error) {
      this.#becomeBroken(error);
    }
  }

  async #becomeFull(): Promise<void> {
    if (this.#state.kind === "full") return;
    this.#state = { kind: "full" };
    this.#options.log?.("the disk is full", { directory: this.#options.directory });
    await this.#options.reserve.release();
    this.#lookForSpace();
  }

  #lookForSpace(): void {
    this.#cancelLook = this.#options.clock.timer(LOOK_FOR_SPACE_EVERY_MS, () => {
      this.#look = this.#endFullness();
    });
  }

  async #endFullness(): Promise<void> {
    const ended = await this.#takeSpaceBack().catch(() => false);
    if (this.#state.kind !== "full" || this.#ending.signal.aborted) return;
    if (!ended) return this.#lookForSpace();
    this.#state = { kind: "writable" };
    this.#options.log?.("the disk has space again", { directory: this.#options.directory });
  }

  /** Whether there was space for the reserve, and for what the start could not write. */
  async #takeSpaceBack(): Promise<boolean> {
    const { reserve } = this.#options;
    if (!(await reserve.hold())) return false;
    if (this.#limit > this.#limitAtStart || this.#ending.signal.aborted) return true;
    if (await this.#setFirstAside()) return true;
    await reserve.release();
    return false;
  }

  #becomeBroken(error: unknown): void {
    if (this.#state.kind === "broken") return;
    this.#state = { kind: "broken", why: this.#why(error) };
    this.#options.log?.("the store takes no more writes", { directory: this.#options.directory, error });
  }

  #why(error: unknown): string {
    const told = error instanceof Error ? error.message : String(error);
    return `the store in ${this.#options.directory} could not be written (${told}); check the disk and restart the server`;
  }

  #noSpace(cause?: unknown): Error {
    const error = this.#options.unavailable(
      `insufficient storage: no space left in ${this.#options.directory}; free some, or delete objects`,
      5,
    );
    error.cause = cause;
    return error;
  }
}

function* recordsOf(groups: readonly JournalGroup[], limit: number | undefined): Generator<Record, undefined> {
  if (limit !== undefined) yield { kind: "limit", revision: limit };
  for (const { writes } of groups) {
    for (const { type, table, entry } of writes) yield { kind: "write", type, table, entry };
  }
}
