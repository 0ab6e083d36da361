import type { Clock } from "@gatewright/ports";
import { DEFAULT_WINDOW } from "./change-window.ts";
import type { WindowLimits } from "./change-window.ts";
import { DecodedObjects } from "./decoded-objects.ts";
import { encodeEntry, ownString } from "./entry.ts";
import { noJournal } from "./journal.ts";
import type { Journal, JournalGroup, JournalWrite, VisibleState } from "./journal.ts";
import type { TableState } from "./snapshot-file.ts";
import type { StoreLog } from "./store-log.ts";
import { WriteConflict } from "./store.ts";
import type { CommitRequest, Entry, Store, StoreHealth, WriteRequest } from "./store.ts";
import { StoredTable } from "./stored-table.ts";
import type { TableHost } from "./stored-table.ts";
import { StoreUnavailable } from "./value-rules.ts";
import type { Unavailable, ValueRules } from "./value-rules.ts";

/** A write to make, and the table that it is for. */
interface Asked<T> extends WriteRequest<T> {
  readonly on: StoredTable<T>;
}

interface WaitingWrite<T> extends JournalWrite {
  readonly on: StoredTable<T>;
}

interface Waiting<T> extends JournalGroup {
  readonly writes: readonly WaitingWrite<T>[];
  readonly resolve: (entries: readonly Entry[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Reached {
  readonly revision: number;
  readonly resolve: () => void;
}

export interface JournaledStoreOptions<T> {
  readonly clock: Clock;
  readonly values: ValueRules<T>;
  readonly window?: Partial<WindowLimits>;
  readonly log?: StoreLog;
  /** Called when writes failed, before their writers learn of it: heads have fallen back to what is visible. */
  readonly onAbandon?: () => void;
}

/**
 * The store over a journal. A write gets its revision at once and waits in one queue; while the journal commits a batch,
 * the next one gathers. What is committed becomes visible in the order of revisions over all tables. When a batch fails,
 * everything in the queue fails with it, since it may build upon what never happened. Without a journal, everything is
 * durable enough at once.
 */
export class JournaledStore<T> implements Store<T> {
  readonly #tables = new Map<string, StoredTable<T>>();
  readonly #decoded: DecodedObjects<T>;
  readonly #values: ValueRules<T>;
  readonly #host: TableHost<T>;
  readonly unavailable: Unavailable;
  readonly #abandoned: (() => void) | undefined;
  #journal: Journal = noJournal;
  readonly #waiters = new Set<Reached>();
  #queue: Waiting<T>[] = [];
  #pump: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Of what was before this revision only the outcome is known. */
  #knownSince = 0;
  #visible = 0;
  #taken = 0;

  /** `decoded`: what is decoded already of what it will be told to load. */
  constructor(options: JournaledStoreOptions<T>, decoded?: ReadonlyMap<Entry, T>) {
    this.#decoded = new DecodedObjects(decoded);
    this.#values = options.values;
    this.#abandoned = options.onAbandon;
    this.unavailable = options.values.unavailable ?? ((why, retry) => new StoreUnavailable(why, retry));
    this.#host = {
      clock: options.clock,
      window: { ...DEFAULT_WINDOW, ...options.window },
      decoded: this.#decoded,
      knownSince: () => this.#knownSince,
      visibleRevision: () => this.#visible,
      write: (table, request) =>
        new Promise((resolve, reject) => {
          this.#take([{ ...request, on: table }], ([entry]) => resolve(entry!), reject);
        }),
      listenerFailed: (table, error) => options.log?.("a watcher of the store failed", { table, error }),
    };
  }

  get revision(): number {
    return this.#visible;
  }

  table(name: string): StoredTable<T> {
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = new StoredTable(name, this.#host)));
    return table;
  }

  async commit(requests: readonly CommitRequest<T>[]): Promise<readonly Entry[]> {
    const keys = new Set(requests.map(({ table, key }) => `${table}\0${key}`));
    if (keys.size < requests.length) throw new RangeError("a commit has a key twice");
    if (requests.length === 0) return [];
    const asked = requests.map((each) => ({ ...each, on: this.table(each.table) }));
    return new Promise((resolve, reject) => this.#take(asked, resolve, reject));
  }

  *tableNames(): Generator<string, undefined> {
    for (const table of this.#tables.values()) if (table.used) yield table.name;
  }

  reached(revision: number, signal: AbortSignal): Promise<void> {
    if (revision <= this.#visible) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal.reason as Error);
      };
      const waiter: Reached = {
        revision,
        resolve: () => {
          signal.removeEventListener("abort", abort);
          resolve();
        },
      };
      if (signal.aborted) return abort();
      this.#waiters.add(waiter);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  health(): StoreHealth {
    return this.#journal.health();
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#pump;
      await this.#journal.close(this.#taken);
    })();
    return this.#closed;
  }

  /** Takes what the files of a journal hold: the state at a revision, */
  load(tables: readonly TableState[], revision: number): void {
    this.#visible = this.#taken = this.#knownSince = revision;
    for (const { name, state } of tables) this.table(name).load(state);
  }

  /** then each write after it; of a deletion only key and revision matter, */
  replay(write: JournalWrite): void {
    const table = this.table(write.table);
    const { key, revision } = write.entry;
    const last = table.get(key);
    this.#visible = this.#taken = revision;
    if (write.type !== "DELETED") table.publish(write);
    else if (last !== undefined) table.publish({ ...write, entry: this.#lastState(last, revision) });
  }

  /** What watchers are told of a deletion that was read from a file: the version before it, at the deletion's revision. */
  #lastState(last: Entry, revision: number): Entry {
    const value = JSON.parse(last.bytes.toString()) as T;
    const told = this.#values.lastState?.(value, revision) ?? value;
    return encodeEntry(last.key, revision, told, this.#values.labelsOf?.(told));
  }

  /** and goes on in this journal; `taken` is the highest revision that may have been given to a write. */
  resume(journal: Journal, taken: number): void {
    this.#journal = journal;
    this.#taken = Math.max(this.#taken, taken);
  }

  /** Gives each write its revision and lets them wait together. Throws when not all of them can be made. */
  #take(asked: readonly Asked<T>[], resolve: Waiting<T>["resolve"], reject: Waiting<T>["reject"]): void {
    if (this.#closed !== undefined) throw this.unavailable("the server is shutting down", 1);
    for (const { on, key, expected, deletes = false } of asked) {
      const head = on.head(key);
      if (head?.revision !== expected?.revision || (deletes && head === undefined))
        throw new WriteConflict(on.name, key);
    }
    const refusal = this.#journal.refusal(() => asked.every((each) => this.#releases(each)));
    if (refusal !== undefined) throw refusal;
    if (this.#taken + asked.length > this.#journal.lastRevision)
      throw this.unavailable("too many writes wait for the disk", 1);

    const writes = asked.map((each) => this.#encode(each));
    for (const write of writes) write.on.begin(write);
    this.#queue.push({ writes, resolve, reject });
    this.#pump ??= this.#run();
  }

  /** Whether a write helps to free space. */
  #releases({ on, expected, deletes = false }: Asked<T>): boolean {
    return deletes || (expected !== undefined && this.#values.isLeaving?.(on.decode(expected)) === true);
  }

  #encode({ on, key, expected, object, deletes = false }: Asked<T>): WaitingWrite<T> {
    const revision = ++this.#taken;
    const made = object(revision);
    const entry = encodeEntry(expected?.key ?? ownString(key), revision, made, this.#values.labelsOf?.(made));
    this.#decoded.add(entry, made);
    const type = deletes ? "DELETED" : expected === undefined ? "ADDED" : "MODIFIED";
    return { on, table: on.name, type, entry };
  }

  /** Commits until nothing waits. Starts in a microtask, so that writes made together are committed together. */
  async #run(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#journal.batchSize(this.#queue));
      if (await this.#commit(batch)) for (const group of batch) this.#publish(group);
      await this.#journal.settled(this.#visibleState());
    }
    this.#pump = undefined;
  }

  async #commit(batch: readonly Waiting<T>[]): Promise<boolean> {
    try {
      await this.#journal.commit(batch);
      return true;
    } catch (error) {
      this.#fail(batch, error);
      return false;
    }
  }

  #visibleState(): VisibleState {
    const tables = [...this.#tables.values()];
    return {
      revision: this.#visible,
      bytes: () => tables.reduce((sum, table) => sum + table.bytes, 0),
      tables: () => tables.map(({ name, state }) => ({ name, state })),
    };
  }

  #publish({ writes, resolve }: Waiting<T>): void {
    for (const write of writes) {
      this.#visible = write.entry.revision;
      write.on.publish(write);
    }
    resolve(writes.map(({ entry }) => entry));
    for (const waiter of this.#waiters) {
      if (waiter.revision > this.#visible) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #fail(batch: readonly Waiting<T>[], error: unknown): void {
    const failed = [...batch, ...this.#queue];
    this.#queue = [];
    for (const { writes } of failed) for (const { on } of writes) on.abandon();
    this.#abandoned?.();
    for (const group of failed) group.reject(error);
  }
}
