import { canonicalName, fingerprint, recordKey } from "./canonical.ts";
import type { ChangeProgress } from "./change-progress.ts";
import { recordsOf } from "./outstanding.ts";
import type { RecordChange, RecordSet } from "./record-set.ts";

/** Changes of one zone that happen together or not at all, and how far they are. */
export interface Order {
  /** Equal for orders of the same. */
  readonly key: string;
  readonly zoneId: string;
  /** What shall be in the end, by key of the set; undefined: nothing. */
  readonly wanted: ReadonlyMap<string, RecordSet | undefined>;
  readonly names: readonly string[];
  readonly owners: Set<string>;
  /** Nothing waits for it to be in sync. */
  readonly patient: boolean;
  /** What has to be sent: less than was ordered when some of it was found to be done. */
  left: readonly RecordChange[];
  progress: ChangeProgress;
  /** How often it was named in a refusal that what the zone has does not explain. */
  strikes: number;
  /** Monotonic milliseconds. */
  askedAt: number;
  endedAt: number | undefined;
}

/** What a batch may hold. */
export interface BatchSize {
  readonly elements: number;
  readonly characters: number;
}

/** The same text for the same changes, however they are written. */
export function orderKey(zoneId: string, changes: readonly RecordChange[]): string {
  return JSON.stringify([zoneId, ...changes.map((change) => [change.action, ...recordsOf(change).map(fingerprint)])]);
}

export function newOrder(
  zoneId: string,
  changes: readonly RecordChange[],
  told: Pick<Order, "key" | "askedAt"> & { readonly owner: string; readonly patient?: boolean },
): Order {
  const wanted = new Map<string, RecordSet | undefined>();
  for (const change of changes) {
    if (change.action !== "create")
      wanted.set(recordKey(change.action === "delete" ? change.record : change.from), undefined);
  }
  for (const change of changes) {
    if (change.action !== "delete") {
      const record = change.action === "create" ? change.record : change.to;
      wanted.set(recordKey(record), record);
    }
  }
  return {
    key: told.key,
    zoneId,
    wanted,
    names: [...new Set(changes.flatMap(recordsOf).map(({ name }) => canonicalName(name)))],
    owners: new Set([told.owner]),
    patient: told.patient === true,
    left: changes,
    progress: { state: "waiting" },
    strikes: 0,
    askedAt: told.askedAt,
    endedAt: undefined,
  };
}

/** Whether two orders want different things of one set. */
export function contradicts(a: Order, b: Order): boolean {
  for (const [key, record] of a.wanted) {
    if (!b.wanted.has(key)) continue;
    const other = b.wanted.get(key);
    if (record === undefined || other === undefined) {
      if (record !== other) return true;
    } else if (fingerprint(record) !== fingerprint(other)) return true;
  }
  return false;
}

/** Whether two orders that share a name may be sent together: only when neither takes away, and no set is in both. */
export function goTogether(a: Order, b: Order): boolean {
  const onlyCreates = (order: Order): boolean => order.left.every(({ action }) => action === "create");
  return onlyCreates(a) && onlyCreates(b) && ![...a.wanted.keys()].some((key) => b.wanted.has(key));
}

/** What an order takes up in a batch. An alias counts as one element. */
export function sizeOf({ left }: Order): BatchSize {
  let elements = 0;
  let characters = 0;
  for (const { values } of left.flatMap(recordsOf)) {
    elements += Math.max(values?.length ?? 0, 1);
    for (const value of values ?? []) characters += value.length;
  }
  return { elements, characters };
}

/** By how many sets a zone grows. */
export function growthOf({ left }: Order): number {
  return left.reduce((sum, { action }) => sum + (action === "create" ? 1 : action === "delete" ? -1 : 0), 0);
}
