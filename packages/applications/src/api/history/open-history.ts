import { uuid } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { createMemoryStore, openDiskStore } from "@gatewright/store";
import type { DiskStoreOptions } from "@gatewright/store";
import { labelsOf } from "./change-record.ts";
import type { EventHistory, HistoryLimits } from "./event-history.ts";
import { storedHistory } from "./stored-history.ts";
import type { HistoryValue } from "./stored-history.ts";

export interface HistoryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits?: Partial<HistoryLimits>;
}

export interface DiskHistoryOptions
  extends HistoryOptions, Pick<DiskStoreOptions<HistoryValue>, "directory" | "log" | "files"> {}

const LIMITS: HistoryLimits = { changes: 5_000, bytes: 16 * 1024 * 1024 };

/** The store is not asked what changed: the history is what tells that. */
const STORE = {
  values: { labelsOf: (value: HistoryValue) => ("object" in value ? labelsOf(value) : undefined) },
  window: { changes: 0, milliseconds: 0, bytes: 0, keepAtLeast: 0 },
};

/**
 * Opens the history in a folder of its own. What was recorded there is found again, whatever ended the process. Rejects when another
 * process uses the folder or a file in it is damaged.
 */
export async function openEventHistory({ limits, random, ...options }: DiskHistoryOptions): Promise<EventHistory> {
  const store = await openDiskStore<HistoryValue>({ ...options, ...STORE });
  return storedHistory(store, settings(true, { ...options, random, ...(limits && { limits }) }));
}

/** A history that ends with the process. */
export function createEventHistory(options: HistoryOptions): Promise<EventHistory> {
  const store = createMemoryStore<HistoryValue>({ clock: options.clock, ...STORE });
  return storedHistory(store, settings(false, options));
}

function settings(durable: boolean, { clock, random, limits }: HistoryOptions) {
  return { durable, clock, epoch: uuid(random).slice(0, 8), limits: { ...LIMITS, ...limits } };
}
