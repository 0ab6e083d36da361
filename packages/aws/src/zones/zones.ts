import type { ChangeProgress } from "./change-progress.ts";
import type { RecordChange, RecordSet } from "./record-set.ts";
import type { Zone } from "./zone-facts.ts";
import type { Reading } from "./zone-reading.ts";

/** Changes of a zone that belong together. */
export interface ZoneOrder {
  /** With or without `/hostedzone/`. */
  readonly zoneId: string;
  readonly changes: readonly RecordChange[];
  /** Who is told when there is progress. */
  readonly owner: string;
  /** Nothing waits for it to be in sync: that is asked for when it ought to be, and not before. */
  readonly patient?: boolean;
}

/**
 * Hosted zones: writes them in batches, follows changes until they are in sync, reads what is there. Answers at once with what it
 * knows; the work is done while `run` runs. Holds nothing that must not be lost: after a crash the same questions give the same.
 */
export interface Zones {
  /**
   * Puts the changes into the zone's next batch, all or none of them, once; asked again with the same, tells how far they are. What is
   * in sync is forgotten a while after nobody asked, when another order wants something else of the same sets, or when the zone is seen
   * to have something else; what was refused or has failed, a while after it ended. Then the same question is a new order.
   */
  change(order: ZoneOrder): ChangeProgress;
  /** What the zone has at a name, all types and sets: a live read. */
  lookup(zoneId: string, name: string, signal: AbortSignal): Promise<readonly RecordSet[]>;
  /** The zone, remembered for some minutes; `absent` only when Route 53 said so. */
  zone(zoneId: string, signal: AbortSignal): Promise<Zone | "absent">;
  /** Reads the zone as a whole now, and again now and then, within the budget. */
  watch(zoneId: string): void;
  unwatch(zoneId: string): void;
  /** Reads a watched zone again soon, rather than when its turn comes. */
  refresh(zoneId: string): void;
  /** What the last whole reading found. Undefined: not read yet. */
  reading(zoneId: string): Reading | undefined;
  /** Hears the owners of orders that came further. Must return fast and not throw. */
  onProgress(listener: (owner: string) => void): void;
  onReading(listener: (zoneId: string) => void): void;
  /** Does the work until the signal aborts; then all orders and readings are forgotten. One at a time. */
  run(signal: AbortSignal): Promise<void>;
}
