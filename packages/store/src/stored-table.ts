import type { Clock } from "@gatewright/ports";
import { ChangeWindow } from "./change-window.ts";
import type { WindowLimits } from "./change-window.ts";
import type { DecodedObjects } from "./decoded-objects.ts";
import type { JournalWrite } from "./journal.ts";
import { OrderedMap } from "./ordered-map.ts";
import { snapshotOf } from "./snapshot.ts";
import type { Change, Entry, Snapshot, Table, WriteRequest } from "./store.ts";

/** What a table needs of its store. */
export interface TableHost<T> {
  readonly clock: Clock;
  readonly window: WindowLimits;
  readonly decoded: DecodedObjects<T>;
  /** The revision after which all changes are known. */
  knownSince(): number;
  visibleRevision(): number;
  write(table: StoredTable<T>, request: WriteRequest<T>): Promise<Entry>;
  /** Called with what a listener threw; the listener stays. */
  listenerFailed(table: string, error: unknown): void;
}

interface Watcher {
  /** The last revision it was told, so that no change reaches it twice. */
  seen: number;
  readonly listener: (change: Change) => void;
}

/**
 * One table: its visible state, the writes under way on top of it, the window of changes behind it, and its watchers. The
 * store decides what becomes visible and when.
 */
export class StoredTable<T> implements Table<T> {
  readonly name: string;
  readonly #host: TableHost<T>;
  readonly #underWay = new Map<string, JournalWrite>();
  readonly #watchers = new Set<Watcher>();
  readonly #window: ChangeWindow;
  #state = OrderedMap.empty<Entry>();
  #bytes = 0;
  #used = false;

  constructor(name: string, host: TableHost<T>) {
    this.name = name;
    this.#host = host;
    this.#window = new ChangeWindow(host.clock, host.window, host.knownSince());
  }

  /** Whether it holds or held something. */
  get used(): boolean {
    return this.#used;
  }

  /** Encoded size of all visible objects. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The visible state. */
  get state(): OrderedMap<Entry> {
    return this.#state;
  }

  head(key: string): Entry | undefined {
    const write = this.#underWay.get(key);
    if (write === undefined) return this.#state.get(key);
    return write.type === "DELETED" ? undefined : write.entry;
  }

  get(key: string): Entry | undefined {
    return this.#state.get(key);
  }

  snapshot(): Snapshot {
    return snapshotOf(this.#state, this.#host.visibleRevision());
  }

  snapshotAt(revision: number): Snapshot | "expired" | "future" {
    if (revision > this.#host.visibleRevision()) return "future";
    if (!this.#window.reaches(revision)) return "expired";
    return snapshotOf(this.#window.stateAt(revision, this.#state), revision);
  }

  write(request: WriteRequest<T>): Promise<Entry> {
    return this.#host.write(this, request);
  }

  watch(from: number, listener: (change: Change) => void): (() => void) | "expired" {
    if (!this.#window.reaches(from)) return "expired";
    const watcher: Watcher = { seen: from, listener };
    this.#watchers.add(watcher);
    for (const change of this.#window.after(from)) this.#tell(watcher, change);
    return () => void this.#watchers.delete(watcher);
  }

  decode(entry: Entry): T {
    return this.#host.decoded.get(entry);
  }

  peek(entry: Entry): T {
    return this.#host.decoded.peek(entry);
  }

  /** Takes the state that a file held. For a table that nobody uses yet. */
  load(state: OrderedMap<Entry>): void {
    this.#state = state;
    this.#used = state.size > 0;
    for (const entry of state.from("")) this.#bytes += entry.bytes.length;
  }

  /** Lets writers build upon a write that is not visible yet. */
  begin(write: JournalWrite): void {
    this.#underWay.set(write.entry.key, write);
  }

  /** Forgets all writes under way: the head falls back to what is visible. */
  abandon(): void {
    this.#underWay.clear();
  }

  /** Makes a write visible and tells all watchers. */
  publish(write: JournalWrite): void {
    const { type, entry } = write;
    if (this.#underWay.get(entry.key) === write) this.#underWay.delete(entry.key);
    const previous = this.#state.get(entry.key);
    this.#state = type === "DELETED" ? this.#state.delete(entry.key) : this.#state.set(entry);
    this.#bytes += (type === "DELETED" ? 0 : entry.bytes.length) - (previous?.bytes.length ?? 0);
    this.#used = true;
    const change: Change = { type, revision: entry.revision, entry, previous, frames: new Map() };
    this.#window.add(change, this.#state);
    for (const watcher of this.#watchers) this.#tell(watcher, change);
  }

  #tell(watcher: Watcher, change: Change): void {
    if (change.revision <= watcher.seen || !this.#watchers.has(watcher)) return;
    watcher.seen = change.revision;
    try {
      watcher.listener(change);
    } catch (error) {
      this.#host.listenerFailed(this.name, error);
    }
  }
}
