/**
 * One version of one value. Holds the encoded value and no decoded one: what a store costs in memory is its bytes.
 */
export interface Entry {
  /** Lists are in bytewise order of keys. */
  readonly key: string;
  /** The write that made this version. */
  readonly revision: number;
  /** UTF-8 JSON of the value. Shared by everyone: never written to. */
  readonly bytes: Buffer;
  /** Labels, so that selectors need not decode. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** One change, shared by all watchers. */
export interface Change {
  readonly type: ChangeType;
  readonly revision: number;
  /** The new version; for DELETED the last state, at the revision of the deletion. */
  readonly entry: Entry;
  readonly previous: Entry | undefined;
  /** Encoded forms of this change, keyed by representation, made by the first watcher who needs one. */
  readonly frames: Map<string, Buffer>;
}

/** A table at one revision. Never changes, whatever is written meanwhile. */
export interface Snapshot {
  readonly revision: number;
  readonly size: number;
  get(key: string): Entry | undefined;
  /** Entries whose key starts with `prefix`, in key order, from the first key at or after `start`. */
  entries(options?: { readonly prefix?: string; readonly start?: string }): IterableIterator<Entry>;
  /** How many entries `entries(options)` would give. */
  count(options?: { readonly prefix?: string; readonly start?: string }): number;
}

export interface WriteRequest<T> {
  readonly key: string;
  /** The entry that this write replaces, as `head` gave it; undefined means that there must be none. */
  readonly expected: Entry | undefined;
  /**
   * The value to store at the given revision, or, for a deletion, the last state to tell watchers. Called at once and once,
   * and only if `expected` is still true. The store keeps the value and freezes it: who wants to change it further makes a
   * copy.
   */
  readonly object: (revision: number) => T;
  readonly deletes?: boolean;
}

/** All values of one kind. */
export interface Table<T> {
  readonly name: string;
  /** The newest version, durable or on its way: what a writer builds on. */
  head(key: string): Entry | undefined;
  /** The newest durable version: what a reader sees. */
  get(key: string): Entry | undefined;
  /** The table as readers see it now. */
  snapshot(): Snapshot;
  /** The table as it was. `expired` when the window no longer reaches back, `future` when not yet reached. */
  snapshotAt(revision: number): Snapshot | "expired" | "future";
  /**
   * Resolves once the write is durable and visible. Rejects with {@link WriteConflict} when `expected` is not the head.
   */
  write(request: WriteRequest<T>): Promise<Entry>;
  /**
   * Calls `listener` for each change after `from`, in order, missing none: first those in the window, at once, then
   * new ones as they become visible. `expired` when the window no longer reaches back.
   */
  watch(from: number, listener: (change: Change) => void): (() => void) | "expired";
  /** The decoded value, frozen. Recently used ones are kept. */
  decode(entry: Entry): T;
  /** The decoded value, for one look at many: it is not kept, and only the looker's manners keep it from being changed. */
  peek(entry: Entry): T;
}

/** The head moved between a writer's read and its write: read again and decide anew. */
export class WriteConflict extends Error {
  constructor(table: string, key: string) {
    super(`${table} ${key} was written by someone else`);
    this.name = "WriteConflict";
  }
}

/** Whether writes can be taken, and if not, what the operator of this machine can do about it. */
export type StoreHealth = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** A write to the table of a name, as one of several. */
export interface CommitRequest<T> extends WriteRequest<T> {
  readonly table: string;
}

export interface Store<T> {
  /** The newest visible revision over all tables. Rises with every write, never repeats, also across restarts. */
  readonly revision: number;
  /** The table of this name, made when first asked for. */
  table(name: string): Table<T>;
  /**
   * Makes all writes or none, in whatever tables: no crash leaves a part of them, and they become visible in one turn. Each
   * key at most once. Rejects with {@link WriteConflict} when one `expected` is not the head.
   */
  commit(requests: readonly CommitRequest<T>[]): Promise<readonly Entry[]>;
  /** Names of the tables that hold or held something. */
  tableNames(): Iterable<string>;
  /** Resolves when the visible revision has reached `revision`, or rejects when the signal aborts. */
  reached(revision: number, signal: AbortSignal): Promise<void>;
  health(): StoreHealth;
  /** Waits for writes under way, then lets go of the files. */
  close(): Promise<void>;
}
