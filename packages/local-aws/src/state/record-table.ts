import type { OrderedMap } from "@gatewright/store";
import type { Records } from "./state.ts";

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
  version: TableVersion;

  constructor(name: string, version: TableVersion) {
    this.name = name;
    this.version = version;
  }

  get(key: string): unknown {
    return this.version.get(key)?.value;
  }

  list(prefix = ""): (readonly [key: string, value: unknown])[] {
    return [...this.scan(prefix)];
  }

  *scan(prefix: string, start = prefix): Iterable<readonly [key: string, value: unknown]> {
    for (const { key, value } of this.version.from(start)) {
      if (!key.startsWith(prefix)) break;
      yield [key, value];
    }
  }

  apply({ key, value }: RecordChange): void {
    this.version = value === undefined ? this.version.delete(key) : this.version.set({ key, value });
  }
}
