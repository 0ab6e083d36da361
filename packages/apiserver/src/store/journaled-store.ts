import { serviceUnavailable } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { DEFAULT_WINDOW } from "./change-window.ts";
import type { WindowLimits } from "./change-window.ts";
import { DecodedObjects } from "./decoded-objects.ts";
import { encodeEntry, ownString } from "./entry.ts";
import { noJournal } from "./journal.ts";
import type { Journal, JournalWrite, VisibleState } from "./journal.ts";
import type { TableState } from "./snapshot-file.ts";
import type { StoreLog } from "./store-log.ts";
import { WriteConflict } from "./store.ts";
import type { Entry, Store, StoreHealth, WriteRequest } from "./store.ts";
import { StoredTable } from "./stored-table.ts";
import type { TableHost } from "./stored-table.ts";

interface Waiting extends JournalWrite {
  readonly on: StoredTable;
  readonly resolve: (entry: Entry) => void;
  readonly reject: (error: unknown) => void;
}

interface Reached {
  readonly revision: number;
  readonly resolve: () => void;
}

export interface JournaledStoreOptions {
  readonly clock: Clock;
  readonly window?: Partial<WindowLimits>;
  readonly log?: StoreLog;
}

/**
 * The store over a journal. A write gets its revision at once and waits in one queue; while the journal commits a batch,
 * the next one gathers. What is committed becomes visible in the order of revisions over all tables. When a batch fails,
 * everything in the queue fails with it, since it may build upon what never happened. Without a journal, everything is
 * durable enough at once.
 */
export class JournaledStore implements Store {
  readonly #tables = new Map<string, StoredTable>();
  readonly #decoded = new DecodedObjects();
  readonly #host: TableHost;
  #journal: Journal = noJournal;
  readonly #waiters = new Set<Reached>();
  #queue: Waiting[] = [];
  #pump: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Of what was before this revision only the outcome is known. */
  #knownSince = 0;
  #visible = 0;
  #taken = 0;

  constructor(options: JournaledStoreOptions) {
    this.#host = {
      clock: options.clock,
      window: { ...DEFAULT_WINDOW, ...options.window },
      decoded: this.#decoded,
      knownSince: () => this.#knownSince,
      visibleRevision: () => this.#visible,
      write: (table, request) => this.#write(table, request),
      listenerFailed: (table, error) => options.log?.("a watcher of the store failed", { table, error }),
    };
  }

  get revision(): number {
    return this.#visible;
  }

  table(name: string): StoredTable {
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = new StoredTable(name, this.#host)));
    return table;
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
    else if (last !== undefined) table.publish({ ...write, entry: lastState(last, revision) });
  }

  /** and goes on in this journal; `taken` is the highest revision that may have been given to a write. */
  resume(journal: Journal, taken: number): void {
    this.#journal = journal;
    this.#taken = Math.max(this.#taken, taken);
  }

  #write(table: StoredTable, request: WriteRequest): Promise<Entry> {
    try {
      return this.#take(table, request);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #take(table: StoredTable, { key, expected, object, deletes = false }: WriteRequest): Promise<Entry> {
    if (this.#closed !== undefined) throw serviceUnavailable("the server is shutting down", 1);
    const head = table.head(key);
    if (head?.revision !== expected?.revision || (deletes && head === undefined))
      throw new WriteConflict(table.name, key);
    const refusal = this.#journal.refusal(() => deletes || (head !== undefined && isBeingDeleted(table.decode(head))));
    if (refusal !== undefined) throw refusal;
    if (this.#taken >= this.#journal.lastRevision) throw serviceUnavailable("too many writes wait for the disk", 1);

    const revision = ++this.#taken;
    const made = object(revision);
    const entry = encodeEntry(head?.key ?? ownString(key), revision, made);
    this.#decoded.add(entry, made);
    const { promise, resolve, reject } = Promise.withResolvers<Entry>();
    const type = deletes ? "DELETED" : head === undefined ? "ADDED" : "MODIFIED";
    const write: Waiting = { on: table, table: table.name, type, entry, resolve, reject };
    table.begin(write);
    this.#queue.push(write);
    this.#pump ??= this.#run();
    return promise;
  }

  /** Commits until nothing waits. Starts in a microtask, so that writes made together are committed together. */
  async #run(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#journal.batchSize(this.#queue));
      if (await this.#commit(batch)) for (const write of batch) this.#publish(write);
      await this.#journal.settled(this.#visibleState());
    }
    this.#pump = undefined;
  }

  async #commit(batch: readonly Waiting[]): Promise<boolean> {
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

  #publish(write: Waiting): void {
    this.#visible = write.entry.revision;
    write.on.publish(write);
    write.resolve(write.entry);
    for (const waiter of this.#waiters) {
      if (waiter.revision > this.#visible) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #fail(batch: readonly Waiting[], error: unknown): void {
    const failed = [...batch, ...this.#queue];
    this.#queue = [];
    for (const write of failed) write.on.abandon();
    for (const write of failed) write.reject(error);
  }
}

/** What watchers are told of a deletion that was read from a file: the version before it, at the deletion's revision. */
function lastState(last: Entry, revision: number): Entry {
  const object = JSON.parse(last.bytes.toString()) as KubeObject;
  object.metadata.resourceVersion = String(revision);
  return encodeEntry(last.key, revision, object);
}

function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
