import type { CancelTimer, Clock } from "@gatewright/ports";

/** Something that has to happen by some time. */
export interface Watched {
  /** In milliseconds of {@link CoarseTimer.now}; infinity: never. Set whenever it changes: that is all that a new deadline costs. */
  deadline: number;
  /** The deadline has passed. Asked again at every tick until there is another deadline. */
  expired(): void;
}

const TICK_MS = 500;

/**
 * One timer for thousands of connections: it looks at all of their deadlines twice a second. Deadlines are kept to within a tick.
 * It runs only while there is something to watch.
 */
export class CoarseTimer {
  readonly #clock: Clock;
  readonly #watched = new Set<Watched>();
  #cancel: CancelTimer | undefined;
  /** The time at the last tick. */
  now: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.now = clock.monotonic();
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    if (this.#cancel === undefined) this.#start();
  }

  remove(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #start(): void {
    this.now = this.#clock.monotonic();
    this.#cancel = this.#clock.timer(TICK_MS, this.#tick);
  }

  readonly #tick = (): void => {
    this.#start();
    for (const watched of this.#watched) if (watched.deadline <= this.now) watched.expired();
  };
}

const TIMERS = new WeakMap<Clock, CoarseTimer>();

/** The one timer of a clock. */
export function coarseTimerOf(clock: Clock): CoarseTimer {
  const known = TIMERS.get(clock);
  if (known !== undefined) return known;
  const timer = new CoarseTimer(clock);
  TIMERS.set(clock, timer);
  return timer;
}
