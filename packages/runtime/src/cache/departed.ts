import { compareResourceVersions } from "@gatewright/kube";

/** How many deletions are remembered after the watch has shown them. */
const REMEMBERED = 4096;
/** How many are awaited: the watch of a selection never shows those of objects that were not in it. */
const AWAITED = 65_536;
const FOR_GOOD = "";

/**
 * Objects that left, so that an event or a list from before cannot bring them back. A uid that the server called deleted never
 * returns; one that left a selection may, with a newer version.
 */
export class Departed {
  /** Deleted by this process and not yet by the watch: kept until it catches up. */
  readonly #awaited = new Set<string>();
  /** The version with which a uid left. The oldest are forgotten: protection against late events, which are rare and soon. */
  readonly #left = new Map<string, string>();

  /** Whether this version of a uid is known to be past. */
  covers(uid: string, resourceVersion: string): boolean {
    if (this.#awaited.has(uid)) return true;
    const left = this.#left.get(uid);
    if (left === undefined) return false;
    if (left === FOR_GOOD) return true;
    const order = compareResourceVersions(resourceVersion, left);
    return order !== undefined && order <= 0;
  }

  /** The server told this process that the uid is gone. */
  removed(uid: string): void {
    // The watch may be quicker than the answer to the deletion: then there is nothing to wait for.
    if (this.#left.has(uid)) return void this.#left.set(uid, FOR_GOOD);
    this.#awaited.add(uid);
    if (this.#awaited.size > AWAITED) for (const oldest of this.#awaited) return this.left(oldest, FOR_GOOD);
  }

  /** The watch, or a list, showed that the uid left with this version. */
  left(uid: string, resourceVersion: string): void {
    if (uid === "") return;
    const forGood = this.#awaited.delete(uid) || this.#left.get(uid) === FOR_GOOD;
    this.#left.delete(uid);
    this.#left.set(uid, forGood ? FOR_GOOD : resourceVersion);
    if (this.#left.size > REMEMBERED) for (const oldest of this.#left.keys()) return void this.#left.delete(oldest);
  }

  /** A list came in: what it does not show, the server has forgotten too. */
  listed(shown: ReadonlySet<string>): void {
    for (const uid of this.#awaited) if (!shown.has(uid)) this.left(uid, FOR_GOOD);
  }

  clear(): void {
    this.#awaited.clear();
    this.#left.clear();
  }
}
