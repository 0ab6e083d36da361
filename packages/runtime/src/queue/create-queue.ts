import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import { Heap } from "./heap.ts";
import type { AddOptions, Queue, QueueItem } from "./queue.ts";
import type { QueueMetrics } from "./queue-metrics.ts";
import { ReadyLine } from "./ready-line.ts";

export interface QueueOptions {
  readonly clock: Clock;
  /** With it, each backoff is up to a tenth longer, so that keys that failed together do not return together. */
  readonly random?: Random;
  /** The first backoff. Default: 5 ms. */
  readonly baseMs?: number;
  /** The longest backoff. Default: 1000 s. */
  readonly maxMs?: number;
  /** Whose key it is: those of one owner wait for each other, not for those of another. Default: the namespace. */
  readonly fairness?: (key: string) => string;
  readonly metrics?: QueueMetrics;
}

/** Timers of the platform cannot be set further ahead: 2^31 - 1 ms. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * What is known of a key that is wanted or runs. It is in the heap exactly while it wants a run `later`, and in line exactly while
 * it wants one `now` and does not run.
 */
interface Entry {
  readonly key: string;
  readonly tenant: string;
  priority: number;
  wants: "nothing" | "now" | "later";
  running: boolean;
  /** When it became, or will become, ready; on the monotonic clock. */
  readyAt: number;
  /** Tells entries of one moment apart: first come, first served. */
  order: number;
  position: number;
  previous: Entry | undefined;
  next: Entry | undefined;
}

type Taker = (item: QueueItem | undefined) => void;

/** A queue in memory. Nothing runs in the background except one timer, and only while a key waits for its time. */
export function createQueue(options: QueueOptions): Queue {
  return new KeyQueue(options);
}

class KeyQueue implements Queue {
  readonly #clock: Clock;
  readonly #random: Random | undefined;
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #fairness: (key: string) => string;
  readonly #metrics: QueueMetrics | undefined;

  readonly #entries = new Map<string, Entry>();
  readonly #failures = new Map<string, number>();
  readonly #line = new ReadyLine<Entry>();
  readonly #waiting = new Heap<Entry>(
    (a, b) => a.readyAt < b.readyAt || (a.readyAt === b.readyAt && a.order < b.order),
  );
  readonly #takers = new Set<Taker>();
  readonly #closers: (() => void)[] = [];
  #running = 0;
  /** Keys that run and want another run. */
  #followUps = 0;
  #orders = 0;
  #closed = false;
  #timer: { readonly at: number; readonly cancel: CancelTimer } | undefined;

  constructor(options: QueueOptions) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#baseMs = options.baseMs ?? 5;
    this.#maxMs = options.maxMs ?? 1_000_000;
    this.#fairness = options.fairness ?? namespaceOf;
    this.#metrics = options.metrics;
  }

  add(key: string, options?: AddOptions): void {
    if (this.#closed) return;
    const afterMs = options?.afterMs ?? 0;
    const priority = options?.priority ?? 0;
    const now = this.#clock.monotonic();
    const entry = this.#entries.get(key) ?? this.#enter(key, priority);
    if (entry.wants === "nothing") {
      this.#metrics?.added();
      entry.priority = priority;
    } else if (priority > entry.priority) {
      this.#raise(entry, priority);
    }
    if (afterMs > 0) {
      this.#metrics?.delayed();
      this.#wantLater(entry, now + afterMs);
    } else if (entry.wants !== "now") {
      this.#wantNow(entry, now);
      this.#serve(now);
    }
    this.#arm(now);
  }

  retry(key: string, options?: { readonly priority?: number; readonly atLeastMs?: number }): void {
    if (this.#closed) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const afterMs = Math.max(this.#backoff(failures), options?.atLeastMs ?? 0);
    this.add(key, { afterMs, priority: options?.priority ?? 0 });
  }

  take(signal?: AbortSignal): Promise<QueueItem | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    const now = this.#clock.monotonic();
    this.#catchUp(now);
    const entry = this.#line.shift();
    if (entry !== undefined) return Promise.resolve(this.#start(entry, now));
    if (this.#exhausted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const taker: Taker = (item) => {
        this.#takers.delete(taker);
        signal?.removeEventListener("abort", leave);
        resolve(item);
      };
      const leave = (): void => taker(undefined);
      signal?.addEventListener("abort", leave, { once: true });
      this.#takers.add(taker);
    });
  }

  done(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.running !== true) throw new Error(`the key ${key} does not run, so its run cannot end`);
    entry.running = false;
    this.#running--;
    this.#metrics?.ended(key);
    if (entry.wants === "now") {
      this.#followUps--;
      this.#line.push(entry);
      this.#serve(this.#clock.monotonic());
    } else if (entry.wants === "nothing") {
      this.#entries.delete(key);
    }
    this.#settle();
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  close(options?: { readonly drain?: boolean }): Promise<void> {
    this.#closed = true;
    for (const entry of this.#waiting.clear()) this.#drop(entry);
    this.#arm(0);
    if (options?.drain !== true) this.#dropReady();
    return new Promise((resolve) => {
      this.#closers.push(resolve);
      this.#settle();
    });
  }

  depth(): { readonly ready: number; readonly waiting: number; readonly running: number } {
    return { ready: this.#line.size + this.#followUps, waiting: this.#waiting.size, running: this.#running };
  }

  /** Whether nothing will ever be given out again. */
  get #exhausted(): boolean {
    return this.#closed && this.#line.size + this.#followUps === 0;
  }

  #enter(key: string, priority: number): Entry {
    const entry: Entry = {
      key,
      tenant: this.#fairness(key),
      priority,
      wants: "nothing",
      running: false,
      readyAt: 0,
      order: 0,
      position: -1,
      previous: undefined,
      next: undefined,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #raise(entry: Entry, priority: number): void {
    if (entry.wants !== "now") {
      entry.priority = priority;
      return;
    }
    this.#metrics?.ready(entry.priority, -1);
    this.#metrics?.ready(priority, 1);
    if (!entry.running) this.#line.remove(entry);
    entry.priority = priority;
    if (!entry.running) this.#line.push(entry);
  }

  #wantLater(entry: Entry, at: number): void {
    if (entry.wants === "now" || (entry.wants === "later" && entry.readyAt <= at)) return;
    entry.readyAt = at;
    entry.order = this.#orders++;
    if (entry.wants === "later") {
      this.#waiting.moved(entry);
    } else {
      entry.wants = "later";
      this.#waiting.add(entry);
    }
  }

  #wantNow(entry: Entry, now: number): void {
    if (entry.wants === "later") this.#waiting.remove(entry);
    entry.wants = "now";
    entry.readyAt = now;
    this.#metrics?.ready(entry.priority, 1);
    if (entry.running) this.#followUps++;
    else this.#line.push(entry);
  }

  /** Lets keys whose time has come be ready, whether or not the timer has fired yet. */
  #catchUp(now: number): void {
    let first = this.#waiting.first();
    if (first === undefined || first.readyAt > now) return;
    for (; first !== undefined && first.readyAt <= now; first = this.#waiting.first()) {
      this.#wantNow(first, first.readyAt);
    }
    this.#serve(now);
    this.#arm(now);
  }

  #serve(now: number): void {
    for (const taker of this.#takers) {
      const entry = this.#line.shift();
      if (entry === undefined) return;
      taker(this.#start(entry, now));
    }
  }

  #start(entry: Entry, now: number): QueueItem {
    entry.wants = "nothing";
    entry.running = true;
    this.#running++;
    this.#metrics?.ready(entry.priority, -1);
    const waitedMs = now - entry.readyAt;
    this.#metrics?.took(entry.key, waitedMs);
    return { key: entry.key, priority: entry.priority, failures: this.#failures.get(entry.key) ?? 0, waitedMs };
  }

  #backoff(failures: number): number {
    const exact = Math.min(this.#baseMs * 2 ** Math.min(failures, 1000), this.#maxMs);
    const [byte = 0] = this.#random?.bytes(1) ?? [];
    return Math.min(exact * (1 + byte / 2550), this.#maxMs);
  }

  /** Sets the one timer for the earliest key that waits. */
  #arm(now: number): void {
    const first = this.#waiting.first();
    if (first !== undefined && this.#timer !== undefined && this.#timer.at <= first.readyAt) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (first === undefined) return;
    // Rounded up, because timers count whole milliseconds and a delay never ends early.
    const ms = Math.min(Math.max(0, Math.ceil(first.readyAt - now)), LONGEST_TIMER);
    const cancel = this.#clock.timer(ms, () => {
      this.#timer = undefined;
      const fired = this.#clock.monotonic();
      this.#catchUp(fired);
      this.#arm(fired);
    });
    this.#timer = { at: first.readyAt, cancel };
  }

  #dropReady(): void {
    for (let entry = this.#line.shift(); entry !== undefined; entry = this.#line.shift()) {
      this.#metrics?.ready(entry.priority, -1);
      this.#drop(entry);
    }
    for (const entry of this.#entries.values()) {
      if (entry.wants === "now") this.#metrics?.ready(entry.priority, -1);
      entry.wants = "nothing";
    }
    this.#followUps = 0;
  }

  #drop(entry: Entry): void {
    entry.wants = "nothing";
    if (!entry.running) this.#entries.delete(entry.key);
  }

  /** Once closed: tells takers that nothing comes any more, and closers that nothing runs. */
  #settle(): void {
    if (!this.#exhausted) return;
    for (const taker of this.#takers) taker(undefined);
    if (this.#running === 0) for (const resolve of this.#closers.splice(0)) resolve();
  }
}

function namespaceOf(key: string): string {
  const slash = key.indexOf("/");
  return slash < 0 ? "" : key.slice(0, slash);
}
