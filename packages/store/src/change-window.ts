import type { Clock } from "@gatewright/ports";
import type { OrderedMap } from "./ordered-map.ts";
import type { Change, Entry } from "./store.ts";

/** How far back a table remembers. Whatever is reached first ends it. */
export interface WindowLimits {
  readonly changes: number;
  readonly milliseconds: number;
  /** Of encoded objects. */
  readonly bytes: number;
  /** So many changes stay whatever their age, so that a quiet table need not be listed anew. */
  readonly keepAtLeast: number;
}

export const DEFAULT_WINDOW: WindowLimits = {
  changes: 10_000,
  milliseconds: 5 * 60_000,
  bytes: 32 * 1024 * 1024,
  keepAtLeast: 100,
};

/** Every so many changes the state after it is kept; those between are worked out from the next one. */
const KEEP_STATE_EVERY = 32;
/** Watchers that keep up share the encoded forms of a change; after so many more changes nobody is likely to need them. */
const KEEP_FRAMES_FOR = 512;

interface Item {
  readonly change: Change;
  readonly at: number;
  state: OrderedMap<Entry> | undefined;
}

/** The latest changes of one table, and through them its states: what resumed watches and later pages of a list need. */
export class ChangeWindow {
  readonly #clock: Clock;
  readonly #limits: WindowLimits;
  /** Emptied up to `#start` and cut only now and then, so that forgetting costs O(1). */
  #items: (Item | undefined)[] = [];
  #start = 0;
  #bytes = 0;
  /** All changes after this revision are known. */
  #floor: number;

  constructor(clock: Clock, limits: WindowLimits, floor: number) {
    this.#clock = clock;
    this.#limits = limits;
    this.#floor = floor;
  }

  add(change: Change, state: OrderedMap<Entry>): void {
    const kept = this.#items.length % KEEP_STATE_EVERY === 0;
    this.#items.push({ change, at: this.#clock.monotonic(), state: kept ? state : undefined });
    this.#bytes += change.entry.bytes.length;
    const cold = this.#items.length - KEEP_FRAMES_FOR;
    if (cold >= this.#start) this.#items[cold]?.change.frames.clear();
    this.#forget();
  }

  /** Whether everything after this revision is still known. */
  reaches(revision: number): boolean {
    this.#forget();
    return revision >= this.#floor;
  }

  /** The changes after a revision that the window reaches, as they are now. */
  after(revision: number): Change[] {
    return this.#items.slice(this.#indexAfter(revision)).map((item) => item!.change);
  }

  /** The state at a revision that the window reaches. `now` is the newest state. */
  stateAt(revision: number, now: OrderedMap<Entry>): OrderedMap<Entry> {
    const first = this.#indexAfter(revision);
    const wanted = first === this.#start ? undefined : this.#items[first - 1];
    if (wanted?.state !== undefined) return wanted.state;
    let last = first;
    while (last < this.#items.length && this.#items[last]!.state === undefined) last++;
    let state = this.#items[last]?.state ?? now;
    for (let i = Math.min(last, this.#items.length - 1); i >= first; i--) {
      const { previous, entry } = this.#items[i]!.change;
      state = previous === undefined ? state.delete(entry.key) : state.set(previous);
    }
    if (wanted !== undefined) wanted.state = state;
    return state;
  }

  #indexAfter(revision: number): number {
    let low = this.#start;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#items[middle]!.change.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #forget(): void {
    const oldest = this.#clock.monotonic() - this.#limits.milliseconds;
    for (let item = this.#items[this.#start]; item !== undefined; item = this.#items[this.#start]) {
      const count = this.#items.length - this.#start;
      const tooOld = item.at < oldest && count > this.#limits.keepAtLeast;
      if (!tooOld && count <= this.#limits.changes && this.#bytes <= this.#limits.bytes) break;
      this.#floor = item.change.revision;
      this.#bytes -= item.change.entry.bytes.length;
      this.#items[this.#start++] = undefined;
    }
    if (this.#start > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
  }
}
