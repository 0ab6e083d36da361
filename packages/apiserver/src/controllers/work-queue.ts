import type { CancelTimer, Clock } from "@gatewright/ports";

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 60_000;

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly work: (key: string) => Promise<void>;
  readonly failed: (key: string, error: unknown) => void;
  /** How many keys may be under way at once. One key never is twice. */
  readonly concurrency?: number;
}

/**
 * Keys to be worked on, each once however often it was added, in the order of their first addition. A key that is added
 * while it is under way runs again afterwards. What fails is retried, later each time, until it succeeds.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #ready = new Set<string>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, CancelTimer>();
  #waiters: (() => void)[] = [];
  #pumping = false;
  #stopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#cancelTimer(key);
    if (this.#running.has(key)) this.#again.add(key);
    else this.#ready.add(key);
    this.#pumpSoon();
  }

  /** Adds the key later; an earlier time that is already set stays. */
  addAfter(key: string, ms: number): void {
    if (this.#stopped || this.#timers.has(key) || this.#ready.has(key)) return;
    const fire = (): void => {
      this.#timers.delete(key);
      this.add(key);
    };
    this.#timers.set(key, this.#options.clock.timer(ms, fire));
  }

  /** Resolves when no key is ready or under way. */
  idle(): Promise<void> {
    if (this.#ready.size === 0 && this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Forgets what has not begun; resolves when the rest has ended. */
  stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#ready.clear();
    this.#again.clear();
    this.#settleIfIdle();
    return this.idle();
  }

  #cancelTimer(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  /** Work never starts inside the caller: additions come from store listeners, which must not be re-entered. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    const limit = this.#options.concurrency ?? 1;
    for (const key of this.#ready) {
      if (this.#running.size >= limit) return;
      this.#ready.delete(key);
      this.#running.add(key);
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      if (!this.#stopped) this.#retryLater(key, error);
    }
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
    this.#pumpSoon();
    this.#settleIfIdle();
  }

  #retryLater(key: string, error: unknown): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#options.failed(key, error);
    this.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS));
  }

  #settleIfIdle(): void {
    if (this.#ready.size > 0 || this.#running.size > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
