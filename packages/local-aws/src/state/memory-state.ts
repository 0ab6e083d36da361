import { OrderedMap } from "@gatewright/store";
import { RecordTables } from "./record-tables.ts";
import type { Records, State } from "./state.ts";

/** A state that ends with the process: for tests, simulations, and laptops that want to forget. */
export function createMemoryState(): State {
  const tables = new RecordTables(() => OrderedMap.empty());
  return {
    // A name has one type of values: its owner's.
    records: <T>(name: string) => tables.table(name) as Records<unknown> as Records<T>,
    commit: async (change, since = "now") => {
      for (const each of tables.changesOf(change)) each.table.apply(each, since);
    },
    keepPast: (clock, milliseconds) => tables.past.keep(clock, milliseconds),
    asOf: (moment, read) => tables.past.asOf(moment, read),
  };
}
