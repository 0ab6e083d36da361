import type { ChangeType, Entry, Table } from "../store/store.ts";

/** `previous` is the version that a change replaced; there is none for objects that were there at the start. */
export type Seen = (type: ChangeType, entry: Entry, previous: Entry | undefined) => void;

/**
 * Tells `seen` of every object in the table (as ADDED) and then of every change to it, in order and missing none. The
 * returned function ends that.
 */
export function followTable(table: Table, seen: Seen): () => void {
  const snapshot = table.snapshot();
  for (const entry of snapshot.entries()) seen("ADDED", entry, undefined);
  const end = table.watch(snapshot.revision, (change) => seen(change.type, change.entry, change.previous));
  if (end === "expired") throw new Error(`the newest revision of ${table.name} is outside of its own window`);
  return end;
}
