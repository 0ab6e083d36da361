import { freezeJson } from "./freeze-json.ts";
import { RecordTable } from "./record-table.ts";
import { PastView, TablePast } from "./table-past.ts";
import type { RecordChange, TableVersion } from "./record-table.ts";
import type { Commit, Records } from "./state.ts";

/** The tables of a state by name, and the changes that a commit asks for. */
export class RecordTables {
  readonly #tables = new Map<string, RecordTable>();
  readonly #load: (name: string) => TableVersion;
  readonly past = new PastView();

  /** `load` says what a table holds when it is first asked for. */
  constructor(load: (name: string) => TableVersion) {
    this.#load = load;
  }

  /** The table of a name; the same name gives the same one. */
  table(name: string): RecordTable {
    let table = this.#tables.get(name);
    if (!table) this.#tables.set(name, (table = new RecordTable(name, this.#load(name), new TablePast(this.past))));
    return table;
  }

  /** Lets every table hold again what it is loaded with. */
  reload(): void {
    for (const table of this.#tables.values()) table.replace(this.#load(table.name));
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
