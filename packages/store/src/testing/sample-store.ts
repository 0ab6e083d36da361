import { ManualClock } from "@gatewright/ports";
import { openDiskStore } from "../disk-store.ts";
import type { DiskStoreOptions } from "../disk-store.ts";
import type { Entry, Store, Table } from "../store.ts";
import type { ValueRules } from "../value-rules.ts";
import type { FaultyFiles } from "./faulty-files.ts";

/** A value with its revision and labels inside, as Kubernetes has them. */
export interface Sample {
  readonly metadata: {
    name: string;
    resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly data: Readonly<Record<string, string>>;
}

export const sampleValues: ValueRules<Sample> = {
  labelsOf: ({ metadata }) => metadata.labels,
  lastState: (value, revision) => {
    value.metadata.resourceVersion = String(revision);
    return value;
  },
};

/** Opens a store on a disk in memory. */
export function openOn(files: FaultyFiles, options: Partial<DiskStoreOptions<Sample>> = {}): Promise<Store<Sample>> {
  const usual = { directory: "/data", clock: new ManualClock(), reserveBytes: 1000, values: sampleValues };
  return openDiskStore({ ...usual, files, ...options });
}

/** Lets time pass until a store on a disk in memory has looked again whether there is space. */
export async function lookForSpace(clock: ManualClock): Promise<void> {
  clock.advance(1000);
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** A small object whose label and data say which version it is. */
export function sampleObject(key: string, revision: number, data: string): Sample {
  const metadata = { name: key, resourceVersion: String(revision), labels: { data: data.slice(0, 9) } };
  return { metadata, data: { data } };
}

/** Creates or replaces the object of a key, on top of the head. */
export function put(table: Table<Sample>, key: string, data = "x"): Promise<Entry> {
  return table.write({ key, expected: table.head(key), object: (revision) => sampleObject(key, revision, data) });
}

/** Deletes the object of a key. */
export function remove(table: Table<Sample>, key: string): Promise<Entry> {
  const make = (revision: number): Sample => sampleObject(key, revision, "last");
  return table.write({ key, expected: table.head(key), deletes: true, object: make });
}

/** Every table as text: what must be the same after a restart. */
export function contentsOf(store: Store<Sample>): string {
  const tables = [...store.tableNames()].toSorted().map((name) => {
    const entries = [...store.table(name).snapshot().entries()];
    return entries.map((e) => `${name} ${e.key} ${e.revision} ${JSON.stringify(e.labels)} ${String(e.bytes)}`);
  });
  return tables.flat().join("\n");
}
