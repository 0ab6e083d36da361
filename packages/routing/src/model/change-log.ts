import type { Change } from "./catalogue.ts";
import type { Deliverable, DeliverableKey } from "./deliverable.ts";

/** How many changes are kept beyond those that are the newest of a key. */
const MOST_OLD_CHANGES = 20_000;
/** Not looked at again before this many more have come. */
const STEP = 1_000;

/**
 * Changes by their number. What a key was at any revision since the oldest that is needed can be told; so that a gateway that has all
 * up to one is told what differs, and nothing that came and went meanwhile.
 */
export class ChangeLog {
  readonly #most: number;
  #changes: Change[] = [];
  /** The newest change of each key, gone ones included. */
  readonly #newest = new Map<DeliverableKey, Change>();
  /** Changes up to this one are known by their outcome only. */
  #floor = 0;
  #lookAgainAt = STEP;

  constructor(mostOldChanges: number = MOST_OLD_CHANGES) {
    this.#most = mostOldChanges;
  }

  /** The revision of a key's newest change; 0 when nothing is known of it. */
  revisionOf(key: DeliverableKey): number {
    return this.#newest.get(key)?.revision ?? 0;
  }

  append(change: Change): void {
    this.#changes.push(change);
    this.#newest.set(change.key, change);
  }

  /** What differs from how it was at a revision, oldest change first; undefined when that was too long ago. 0: all there is. */
  since(revision: number): readonly Change[] | undefined {
    if (revision !== 0 && revision < this.#floor) return undefined;
    const before = new Map<DeliverableKey, Deliverable | undefined>();
    const changed: Change[] = [];
    for (let at = this.#firstAfter(revision); at < this.#changes.length; at++) {
      const change = this.#changes[at]!;
      const { key, deliverable } = change;
      if (!before.has(key)) before.set(key, revision === 0 ? undefined : change.previous);
      if (this.#newest.get(key) !== change) continue;
      const previous = before.get(key);
      if (previous === change.previous) changed.push(change);
      else if (previous !== undefined || deliverable !== undefined) changed.push({ ...change, previous });
    }
    return changed;
  }

  /**
   * Forgets what nobody needs: changes up to `needed` that are not the newest of their key, and of those all that are gone. When more
   * than the most are left, the oldest half of them go too, and who needed them is told so by {@link since}.
   */
  trim(needed: number): void {
    if (this.#changes.length < this.#lookAgainAt) return;
    this.#forget(needed);
    const old = this.#changes.length - this.#live();
    if (old > this.#most) this.#forget(this.#changes[this.#changes.length >> 1]?.revision ?? 0);
    this.#lookAgainAt = this.#changes.length + STEP;
  }

  #forget(through: number): void {
    if (through <= this.#floor) return;
    this.#floor = through;
    this.#changes = this.#changes.filter((change) => {
      if (change.revision > through) return true;
      if (this.#newest.get(change.key) !== change) return false;
      if (change.deliverable === undefined) this.#newest.delete(change.key);
      return change.deliverable !== undefined;
    });
  }

  #live(): number {
    let live = 0;
    for (const { deliverable } of this.#newest.values()) if (deliverable !== undefined) live++;
    return live;
  }

  #firstAfter(revision: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
