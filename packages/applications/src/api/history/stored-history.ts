import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { CommitRequest, Entry, Snapshot, Store } from "@gatewright/store";
import { kindKey, publicForm, recordOf } from "./change-record.ts";
import type { ChangeRecord, ObservedChange } from "./change-record.ts";
import { positionOf } from "./event-history.ts";
import type { Cursor, EventHistory, HistoryLimits, PresentState, RecordOptions } from "./event-history.ts";
import { formatEventId } from "./event-id.ts";
import { newsOf } from "./news.ts";

/** What the tables of a history hold. */
export type HistoryValue = ChangeRecord | Cursor | { readonly epoch: string };

type Write = CommitRequest<HistoryValue>;

/** Changes by their place. */
const EVENTS = "events";
/** The objects that the changes led to. */
const OBJECTS = "objects";
const CURSORS = "cursors";
const ABOUT = "history";
/** So that keys are in the order of numbers. */
const DIGITS = 15;
/** Of what a deleted value was, nobody asks. */
const NOTHING = { epoch: "" };

/** A history in a store of its own, which it closes. `epoch` names it, if it has no name yet. */
export async function storedHistory(
  store: Store<HistoryValue>,
  options: {
    readonly durable: boolean;
    readonly clock: Clock;
    readonly epoch: string;
    readonly limits: HistoryLimits;
  },
): Promise<EventHistory> {
  const about = store.table(ABOUT);
  if (about.get("epoch") === undefined) {
    await about.write({ key: "epoch", expected: undefined, object: () => ({ epoch: options.epoch }) });
  }
  const { epoch } = about.decode(about.get("epoch")!) as { epoch: string };
  return new StoredHistory(store, { ...options, epoch });
}

class StoredHistory implements EventHistory {
  readonly durable: boolean;
  readonly epoch: string;
  readonly #store: Store<HistoryValue>;
  readonly #clock: Clock;
  readonly #limits: HistoryLimits;
  readonly #listeners = new Set<() => void>();
  /** One record at a time: each builds upon what the one before made durable. */
  #turn: Promise<void> = Promise.resolve();
  /** The store shows a commit a moment before it is counted here: readers see these two, which always fit together. */
  #position: number;
  #objects: Snapshot;
  #floor: number;
  #bytes = 0;

  constructor(
    store: Store<HistoryValue>,
    options: {
      readonly durable: boolean;
      readonly clock: Clock;
      readonly epoch: string;
      readonly limits: HistoryLimits;
    },
  ) {
    this.#store = store;
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.durable = options.durable;
    this.epoch = options.epoch;
    let [first, last]: [Entry | undefined, Entry | undefined] = [undefined, undefined];
    for (const entry of store.table(EVENTS).snapshot().entries()) {
      first ??= entry;
      last = entry;
      this.#bytes += entry.bytes.length;
    }
    this.#position = last ? positionOf(last) : 0;
    this.#floor = first ? positionOf(first) - 1 : 0;
    this.#objects = store.table(OBJECTS).snapshot();
  }

  get position(): number {
    return this.#position;
  }

  get floor(): number {
    return this.#floor;
  }

  cursor(resource: Resource, cluster: string): string | undefined {
    const table = this.#store.table(CURSORS);
    const entry = table.get(kindKey(resource));
    const kept = entry && (table.decode(entry) as Cursor);
    return kept?.cluster === cluster ? kept.resourceVersion : undefined;
  }

  *known(resource: Resource): Generator<Immutable<ApiObject>, undefined> {
    const table = this.#store.table(OBJECTS);
    for (const entry of table.snapshot().entries({ prefix: `${kindKey(resource)}/` })) {
      yield (table.peek(entry) as ChangeRecord).object;
    }
  }

  record(resource: Resource, changes: readonly ObservedChange[], options: RecordOptions = {}): Promise<void> {
    const recorded = this.#turn.then(() => this.#record(resource, changes, options));
    // Whoever asked hears of the failure; the next one starts from what is durable.
    this.#turn = recorded.catch(() => {});
    return recorded;
  }

  *after(position: number): Generator<Entry, undefined> {
    const end = this.#position;
    const snapshot = this.#store.table(EVENTS).snapshot();
    for (const entry of snapshot.entries({ start: eventKey(position + 1) })) {
      if (positionOf(entry) > end) return;
      yield entry;
    }
  }

  present(): PresentState {
    const objects = this.#objects;
    return { position: this.#position, entries: () => objects.entries() };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#store.close();
  }

  async #record(resource: Resource, changes: readonly ObservedChange[], options: RecordOptions): Promise<void> {
    const { records, objects } = this.#news(resource, changes, options.initial === true);
    const writes: Write[] = records.map((record, index) => ({
      table: EVENTS,
      key: eventKey(this.#position + index + 1),
      expected: undefined,
      object: () => record,
    }));
    for (const [key, object] of objects) writes.push(...this.#put(OBJECTS, key, object));
    if (options.cursor) writes.push(...this.#put(CURSORS, kindKey(resource), options.cursor));
    if (writes.length === 0) return;
    const entries = (await this.#store.commit(writes)).slice(0, records.length);
    this.#position += entries.length;
    this.#objects = this.#store.table(OBJECTS).snapshot();
    for (const entry of entries) this.#bytes += entry.bytes.length;
    if (entries.length > 0) for (const listener of this.#listeners) listener();
    await this.#forget();
  }

  /** The records that changes lead to, and the objects that are different after them (undefined: gone). */
  #news(resource: Resource, changes: readonly ObservedChange[], initial: boolean) {
    const table = this.#store.table(OBJECTS);
    const objects = new Map<string, ChangeRecord | undefined>();
    const records: ChangeRecord[] = [];
    const time = new Date(this.#clock.now()).toISOString();
    for (const seen of changes) {
      const key = `${kindKey(resource)}/${keyOf(seen.object)}`;
      const entry = table.get(key);
      const known = objects.has(key) ? objects.get(key) : entry && (table.peek(entry) as ChangeRecord);
      for (const change of newsOf(known?.object, { type: seen.type, object: publicForm(seen.object) })) {
        const position = this.#position + records.length + 1;
        const id = formatEventId({ epoch: this.epoch, position, partial: false });
        records.push(recordOf(resource, change, { id, time, ...(initial && { initial }) }));
        const present = recordOf(resource, { type: "ADDED", object: change.object }, { initial: true });
        objects.set(key, change.type === "DELETED" ? undefined : present);
      }
    }
    return { records, objects };
  }

  #put(table: string, key: string, value: HistoryValue | undefined): readonly Write[] {
    const expected = this.#store.table(table).head(key);
    if (value !== undefined) return [{ table, key, expected, object: () => value }];
    return expected === undefined ? [] : [{ table, key, expected, deletes: true, object: () => NOTHING }];
  }

  /** Lets the oldest changes go until the limits hold. */
  async #forget(): Promise<void> {
    const { changes, bytes } = this.#limits;
    let [count, size] = [this.#position - this.#floor, this.#bytes];
    const writes: Write[] = [];
    for (const entry of this.after(this.#floor)) {
      if ((count <= changes && size <= bytes) || count <= 1) break;
      count--;
      size -= entry.bytes.length;
      writes.push(...this.#put(EVENTS, entry.key, undefined));
    }
    if (writes.length === 0) return;
    const before = { floor: this.#floor, bytes: this.#bytes };
    // The floor rises first: whoever needs what is about to go starts anew.
    this.#floor += writes.length;
    this.#bytes = size;
    try {
      await this.#store.commit(writes);
    } catch (error) {
      this.#floor = before.floor;
      this.#bytes = before.bytes;
      throw error;
    }
  }
}

function eventKey(position: number): string {
  return String(position).padStart(DIGITS, "0");
}
