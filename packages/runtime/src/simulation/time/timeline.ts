import { nextTurn } from "@gatewright/ports";
import type { CancelTimer, Clock } from "@gatewright/ports";
import { dice } from "../dice.ts";
import type { Dice } from "../dice.ts";

interface Moment {
  readonly at: number;
  /** Orders moments of the same time, by seed. */
  readonly tie: number;
  fire: (() => void) | undefined;
}

/** When the simulated world begins: the first moment of 2030. */
export const WORLD_START = Date.UTC(2030, 0, 1);

/**
 * The time of a simulated world. It stands still while anything can still happen, then jumps to the next moment. Of moments at the
 * same time the dice say which comes first.
 */
export class Timeline implements Clock {
  readonly #dice: Dice;
  readonly #heap: Moment[] = [];
  readonly #busy: () => boolean;
  #now = 0;
  #fired = 0;

  /** `busy`: whether something goes on in real time that has to end before the next moment. */
  constructor(dice: Dice, busy: () => boolean = () => false) {
    this.#dice = dice;
    this.#busy = busy;
  }

  /** Wall-clock time of the world: the only clock in it that is right. */
  now(): number {
    return WORLD_START + this.#now;
  }

  /** Milliseconds since the world began. */
  monotonic(): number {
    return this.#now;
  }

  timer(ms: number, fire: () => void): CancelTimer {
    const moment: Moment = { at: this.#now + Math.max(ms, 0), tie: this.#dice.next(), fire };
    push(this.#heap, moment);
    return () => void (moment.fire = undefined);
  }

  /** How many moments have happened. */
  get fired(): number {
    return this.#fired;
  }

  /**
   * Lets everything happen up to a time, one moment after the other, each with all its consequences; `until` is asked after each
   * and ends it early by saying true. Returns whether it did.
   */
  async run(end: number, until: () => boolean = () => false): Promise<boolean> {
    await nextTurn();
    for (let next = this.#next(end); next?.fire !== undefined; next = this.#next(end)) {
      this.#now = next.at;
      this.#fired++;
      next.fire();
      do await nextTurn();
      while (this.#busy());
      if (until()) return true;
    }
    this.#now = Math.max(this.#now, end);
    return until();
  }

  #next(end: number): Moment | undefined {
    for (let first = this.#heap[0]; first !== undefined && first.at <= end; first = this.#heap[0]) {
      pop(this.#heap);
      if (first.fire !== undefined) return first;
    }
    return undefined;
  }
}

/**
 * Time that only passes when it is run, for what is to be measured in the time of the world. It waits while `busy` says that something
 * goes on in real time, such as making a key.
 */
export function virtualTime(seed: number, busy?: () => boolean): Timeline {
  return new Timeline(dice(seed), busy);
}

function before(a: Moment, b: Moment): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}

function push(heap: Moment[], moment: Moment): void {
  let at = heap.length;
  heap.push(moment);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(moment, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = moment;
}

function pop(heap: Moment[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
}
