import { freezeJson } from "./freeze-json.ts";
import { RecordTable } from "./record-table.ts";
import type { RecordChange } from "./record-table.ts";
import type { Commit, Records } from "./state.ts";

/** The tables of a state by name, and the changes that a commit asks for. */
export class RecordTables {
  readonly #tables = new Map<string, RecordTable>();

  table(name: string): RecordTable {
    let table = this.#tables.get(name);
    if (!table) this.#tables.set(name, (table = new RecordTable(name)));
    return table;
  }

  /** Every table that was asked for. */
  all(): Iterable<RecordTable> {
    return this.#tables.values();
  }

  /** What a commit asks for, in order, values frozen. Throws what `change` throws; nothing has happened then. */
  changesOf(change: (commit: Commit) => void): readonly RecordChange[] {
    const changes: RecordChange[] = [];
    change({
      put: (records, key, value) => {
        if (value === undefined) throw new TypeError(`the value of ${key} is undefined`);
        changes.push({ table: this.#own(records), key, value: freezeJson(value) });
      },
      delete: (records, key) => void changes.push({ table: this.#own(records), key, value: undefined }),
    });
    return changes;
  }

  #own(records: Records<unknown>): RecordTable {
    if (records instanceof RecordTable && this.#tables.get(records.name) === records) return records;
    throw new TypeError("these records are of another state");
  }
}
