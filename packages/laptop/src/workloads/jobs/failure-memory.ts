import type { ObjectKey } from "@gatewright/kube";

/**
 * When this process first saw that so many pods of a Job had failed. Pauses are counted from then at the latest: when a pod ended is
 * told by the clock of its node, which may be ahead by any time.
 */
export class FailureMemory {
  readonly #seen = new Map<ObjectKey, { readonly uid: string; readonly count: number; readonly at: number }>();

  /** Gives the moment, which is now for a number that was not seen before. */
  seenAt(key: ObjectKey, uid: string, count: number, now: number): number {
    const known = this.#seen.get(key);
    if (known?.uid === uid && known.count === count) return known.at;
    this.#seen.set(key, { uid, count, at: now });
    return now;
  }

  forget(key: ObjectKey): void {
    this.#seen.delete(key);
  }
}
