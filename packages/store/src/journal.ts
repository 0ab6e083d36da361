import type { TableState } from "./snapshot-file.ts";
import type { ChangeType, Entry, StoreHealth } from "./store.ts";

/** A write that has its revision and waits to become durable. */
export interface JournalWrite {
  readonly table: string;
  readonly type: ChangeType;
  readonly entry: Entry;
}

/** Writes that become durable together or not at all. */
export interface JournalGroup {
  readonly writes: readonly JournalWrite[];
}

/** What readers see, at a moment when nothing is being committed. */
export interface VisibleState {
  readonly revision: number;
  /** Encoded size of all values. */
  bytes(): number;
  tables(): readonly TableState[];
}

/** Where writes are made durable. */
export interface Journal {
  /** The highest revision that may be given to a write now. */
  readonly lastRevision: number;
  /** Why a write cannot be taken now, before it gets a revision. `releases` says whether it helps to free space. */
  refusal(releases: () => boolean): Error | undefined;
  /** How many of the waiting groups, from the first, to commit together: at least one. */
  batchSize(waiting: readonly JournalGroup[]): number;
  /** Makes all writes durable, or rejects with the error for their writers and none of them counts. One at a time. */
  commit(groups: readonly JournalGroup[]): Promise<void>;
  /** Called when all that was committed is visible, before the next commit: the moment to tidy up. Never rejects. */
  settled(visible: VisibleState): Promise<void>;
  health(): StoreHealth;
  /** `taken` is the highest revision that was given to a write. */
  close(taken: number): Promise<void>;
}

/** Remembers nothing: for a store that lives and dies with the process. */
export const noJournal: Journal = {
  lastRevision: Number.MAX_SAFE_INTEGER,
  refusal: () => undefined,
  batchSize: (waiting) => waiting.length,
  commit: async () => {},
  settled: async () => {},
  health: () => ({ ok: true }),
  close: async () => {},
};
