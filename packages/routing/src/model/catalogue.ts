import type { Deliverable, DeliverableKey, SourceKey } from "./deliverable.ts";

/** The newest there is of a key. Without `deliverable` it is gone. */
export interface Change {
  readonly key: DeliverableKey;
  readonly revision: number;
  readonly deliverable: Deliverable | undefined;
  /** What it was at the revision that was asked from, if there was something: what those have who have seen all up to it. */
  readonly previous: Deliverable | undefined;
}

/**
 * All that gateways are to have, and in which order it came to be so. Every change has a number; who has seen all up to one is told
 * by that number alone, so that a thousand gateways cost a thousand numbers and not a thousand copies.
 */
export interface Catalogue {
  /** The number of the newest change; 0 before the first. Of this process: another one counts differently. */
  readonly revision: number;
  /** Whether all that was there at the start is in. Gateways are told nothing before. */
  readonly complete: boolean;
  get(key: DeliverableKey): { readonly deliverable: Deliverable; readonly revision: number } | undefined;
  all(): Iterable<Deliverable>;
  of(source: SourceKey): readonly Deliverable[];
  /**
   * Whether a gateway that has this keeps it, though it is not among all: its object is there and nothing can be made of it, and this
   * process never knew what was good of it. Who asks hears of it when it is to go.
   */
  keeps(key: DeliverableKey): boolean;
  /**
   * The newest change of each key that changed after a revision, oldest first; undefined when that is too long ago to know. 0: all
   * there is. One that is again as it was then is among them, with a `previous` of the same version.
   */
  since(revision: number): readonly Change[] | undefined;
  /** Told at once, after each change and when it becomes complete. Must not throw and must not wait. */
  subscribe(listener: () => void): () => void;
}
