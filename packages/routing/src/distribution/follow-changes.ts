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
}

/**
 * What one gateway is to be told, batch by batch: first all, as soon as the catalogue is complete; then what differs from that. The
 * next batch is made when it is asked for, of what is there then: who is slow gets the newest state and not a queue. Changes that
 * are nothing to this gateway make a batch without content, for who counts. Ends when the signal aborts.
 */
export async function* followChanges(
  { catalogue, pace, selects }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  let at = -1;
  while (!signal.aborted) {
    try {
      await pace.after(at, signal);
    } catch {
      return; // the signal aborted
    }
    const changes = at === -1 ? undefined : catalogue.since(at);
    at = catalogue.revision;
    yield changes === undefined ? wholeBatch(catalogue.all(), at, selects) : batchOf(changes, at, selects);
  }
}
