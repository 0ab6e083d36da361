import type { Catalogue } from "../model/catalogue.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { batchOf, wholeBatch } from "./batch.ts";
import type { Batch } from "./batch.ts";
import type { ChangePace } from "./change-pace.ts";

export interface FollowOptions {
  readonly catalogue: Catalogue;
  readonly pace: ChangePace;
  /** Whether this gateway is to have it. Must not change while it is followed. */
  readonly selects: (deliverable: Deliverable) => boolean;
  /** Where deliverables come from, when it is not the catalogue itself: one that is always up to date with it. */
  readonly source?: ChangeSource;
  /** Where the gateway is: a revision of `source`. Default: it has nothing. */
  readonly from?: number;
}

/** What differs since a revision. */
export type ChangeSource = Pick<Catalogue, "revision" | "since" | "all">;

/** A batch, and where in its source the gateway is with it. */
export interface FollowedBatch extends Batch {
  readonly mark: number;
}

/**
 * What one gateway is to be told, batch by batch: first all, as soon as the catalogue is complete; then what differs from that. The
 * next batch is made when it is asked for, of what is there then: who is slow gets the newest state and not a queue. Changes that
 * are nothing to this gateway make a batch without content, for who counts. Ends when the signal aborts.
 */
export async function* followChanges(
  { catalogue, pace, selects, source = catalogue, from }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<FollowedBatch, void, void> {
  let [through, mark] = [-1, from];
  while (!signal.aborted) {
    try {
      await pace.after(through, signal);
    } catch {
      return; // the signal aborted
    }
    const changes = mark === undefined ? undefined : source.since(mark);
    through = catalogue.revision;
    mark = source.revision;
    const batch =
      changes === undefined ? wholeBatch(source.all(), through, selects) : batchOf(changes, through, selects);
    yield { ...batch, mark };
  }
}
