import type { OrderedMap } from "@gatewright/store";
import type { Records } from "./state.ts";
import type { TablePast } from "./table-past.ts";

/** One value under its key. */
interface Item {
  readonly key: string;
  readonly value: unknown;
}

/** A table at one moment. Later changes make new versions and leave this one as it is. */
export type TableVersion = OrderedMap<Item>;

/** One change of one table; without a value the key goes. */
export interface RecordChange {
  readonly table: RecordTable;
  readonly key: string;
  readonly value: unknown;
}

/** Records in memory, in bytewise order of keys. Reads and changes cost O(log n), a list what it gives. */
export class RecordTable implements Records<unknown> {
  readonly name: string;
  readonly #past: TablePast;
  #version: TableVersion;

  constructor(name: string, version: TableVersion, past: TablePast) {
    this.name = name;
    this.#version = version;
    this.#past = past;
  }

  get(key: string): unknown {
    return this.#shown.get(key)?.value;
  }

  list(prefix = ""): (readonly [key: string, value: unknown])[] {
    return [...this.scan(prefix)];
  }

  *scan(prefix: string, start = prefix): Iterable<readonly [key: string, value: unknown]> {
    for (const { key, value } of this.#shown.from(start)) {
      if (!key.startsWith(prefix)) break;
      yield [key, value];
    }
  }

  apply(change: RecordChange, since: "now" | "always"): void {
    if (since === "now") this.#past.keep(this.#version);
    else this.#past.rewrite((version) => changed(version, change));
    this.#version = changed(this.#version, change);
  }

  /** Holds this from now on. What was kept of the past stays. */
  replace(version: TableVersion): void {
    this.#version = version;
  }

  get #shown(): TableVersion {
    return this.#past.shown() ?? this.#version;
  }
}

function changed(version: TableVersion, { key, value }: RecordChange): TableVersion {
  return value === undefined ? version.delete(key) : version.set({ key, value });
}
