import { compareKeys } from "./key-order.ts";
import type { OrderedMap } from "./ordered-map.ts";
import type { Entry, Snapshot } from "./store.ts";

type Range = NonNullable<Parameters<Snapshot["entries"]>[0]>;

/** One state of a table, seen at one revision. */
export function snapshotOf(state: OrderedMap<Entry>, revision: number): Snapshot {
  return {
    revision,
    size: state.size,
    get: (key) => state.get(key),
    *entries({ prefix = "", start = "" }: Range = {}) {
      for (const entry of state.from(later(prefix, start))) {
        if (!entry.key.startsWith(prefix)) return;
        yield entry;
      }
    },
    count({ prefix = "", start = "" } = {}) {
      const end = prefix === "" ? state.size : state.countThrough(prefix);
      return Math.max(0, end - state.countBefore(later(prefix, start)));
    },
  };
}

function later(prefix: string, start: string): string {
  return compareKeys(prefix, start) > 0 ? prefix : start;
}
