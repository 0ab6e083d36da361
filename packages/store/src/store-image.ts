import { OrderedMap } from "./ordered-map.ts";
import type { TableState } from "./snapshot-file.ts";
import type { Entry, Store } from "./store.ts";

/** What a store held at one moment, for others to begin with. They share it, since neither entries nor decoded values change. */
export interface StoreImage<T> {
  readonly revision: number;
  readonly tables: readonly TableState[];
  readonly decoded: ReadonlyMap<Entry, T>;
}

/** The visible state of a store. */
export function imageOf<T>(store: Store<T>): StoreImage<T> {
  const decoded = new Map<Entry, T>();
  const tables = [...store.tableNames()].map((name) => {
    const table = store.table(name);
    const entries = [...table.snapshot().entries()];
    for (const entry of entries) decoded.set(entry, table.decode(entry));
    return { name, state: OrderedMap.fromSorted(entries) };
  });
  return { revision: store.revision, tables, decoded };
}
