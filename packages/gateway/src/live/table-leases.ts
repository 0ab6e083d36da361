import type { RouteTable } from "../table/route-table.ts";
import type { TableLease } from "../pipeline/pipeline.ts";

/** The time that one table was the current one, and the requests that began in it. */
interface Epoch {
  readonly lease: TableLease;
  active: number;
  /** What ends once the requests of this epoch, and of all before it, are over. */
  readonly endings: (() => void)[];
}

/**
 * Which tables are in use. A swap is one assignment; what the old table needed lives until the last request that began with it is
 * over.
 */
export class TableLeases {
  #epochs: Epoch[];
  #current: Epoch;

  constructor(table: RouteTable) {
    this.#current = this.#epoch(table);
    this.#epochs = [this.#current];
  }

  get table(): RouteTable {
    return this.#current.lease.table;
  }

  /** Requests under way. */
  get active(): number {
    return this.#epochs.reduce((sum, { active }) => sum + active, 0);
  }

  /** The table for a request that begins now. */
  lease(): TableLease {
    this.#current.active++;
    return this.#current.lease;
  }

  /** Makes this the table of all requests that begin from now on. */
  swap(table: RouteTable, endings: readonly (() => void)[]): void {
    this.#current.endings.push(...endings);
    this.#current = this.#epoch(table);
    this.#epochs.push(this.#current);
    this.#end();
  }

  #epoch(table: RouteTable): Epoch {
    const epoch: Epoch = {
      active: 0,
      endings: [],
      lease: {
        table,
        release: () => {
          epoch.active--;
          if (epoch !== this.#current) this.#end();
        },
      },
    };
    return epoch;
  }

  #end(): void {
    while (this.#epochs.length > 1) {
      const [oldest] = this.#epochs;
      if (oldest === undefined || oldest.active > 0) return;
      this.#epochs.shift();
      for (const end of oldest.endings) end();
    }
  }
}
