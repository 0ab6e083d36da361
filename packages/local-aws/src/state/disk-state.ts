import { openDiskStore, OrderedMap } from "@gatewright/store";
import type { CommitRequest, DiskStoreOptions, StoreHealth } from "@gatewright/store";
import type { RecordChange } from "./record-table.ts";
import { RecordTables } from "./record-tables.ts";
import type { Records, State } from "./state.ts";

/** A state that survives whatever ends the process. */
export interface DiskState extends State {
  /** Whether commits can be taken, and if not, what the owner of this machine can do about it. */
  health(): StoreHealth;
  /** Waits for commits under way, then lets go of the files. */
  close(): Promise<void>;
}

export type DiskStateOptions = Pick<
  DiskStoreOptions<unknown>,
  "directory" | "clock" | "files" | "log" | "compactFromBytes"
>;

/** Nobody watches these tables: the changes behind them need not be remembered. */
const NO_WINDOW = { changes: 0, milliseconds: 0, bytes: 0, keepAtLeast: 0 };

/**
 * Opens the state in a directory. When the disk refuses a commit, it rejects with `StoreUnavailable`, and so do those that were made
 * upon it: readers see again what is on disk. Rejects when another process uses the directory, or when a file is damaged.
 */
export async function openDiskState(options: DiskStateOptions): Promise<DiskState> {
  const store = await openDiskStore<unknown>({
    ...options,
    values: {},
    window: NO_WINDOW,
    onAbandon: () => tables.reload(),
  });
  const tables = new RecordTables((name) => {
    const table = store.table(name);
    const entries = [...table.snapshot().entries()];
    return OrderedMap.fromSorted(entries.map((entry) => ({ key: entry.key, value: table.decode(entry) })));
  });
  return {
    // A name has one type of values: its owner's.
    records: <T>(name: string) => tables.table(name) as Records<unknown> as Records<T>,
    async commit(change, since = "now") {
      const changes = lastOfEach(tables.changesOf(change));
      let taken = false;
      const committed = store.commit(
        changes.flatMap(({ table, key, value }): CommitRequest<unknown>[] => {
          const expected = store.table(table.name).head(key);
          const deletes = value === undefined;
          if (deletes && !expected) return [];
          const object = (): unknown => {
            taken = true;
            return deletes ? null : value;
          };
          return [{ table: table.name, key, expected, deletes, object }];
        }),
      );
      // The store has asked for the values by now, unless it takes none.
      if (taken) for (const each of changes) each.table.apply(each, since);
      await committed;
    },
    keepPast: (clock, milliseconds) => tables.past.keep(clock, milliseconds),
    asOf: (moment, read) => tables.past.asOf(moment, read),
    health: () => store.health(),
    close: () => store.close(),
  };
}

/** Of several changes to one key the last. */
function lastOfEach(changes: readonly RecordChange[]): readonly RecordChange[] {
  const last = new Map(changes.map((change) => [`${change.table.name}\0${change.key}`, change]));
  return [...last.values()];
}
