/** How a key is put into a queue. */
export interface AddOptions {
  /** Not before this many milliseconds have passed. Default: 0. */
  readonly afterMs?: number;
  /** Higher runs first. Default: 0; initial lists and resyncs use {@link LOW_PRIORITY}. */
  readonly priority?: number;
}

/** The priority of work that nobody waits for. */
export const LOW_PRIORITY = -100;

/** What a worker takes. */
export interface QueueItem {
  readonly key: string;
  readonly priority: number;
  /** How many times in a row the key was put back by `retry`. */
  readonly failures: number;
  /** For how long it was ready before it ran. */
  readonly waitedMs: number;
}

/**
 * Keys that want work. A key is held once however often it is added; it never runs twice at once; adds during a run lead to exactly
 * one more. Adding again keeps the earlier time and the higher priority.
 */
export interface Queue {
  add(key: string, options?: AddOptions): void;
  /** Puts a key back after a failure: after 5 ms, doubled with each failure in a row, 1000 s at most. */
  retry(key: string, options?: { readonly priority?: number; readonly atLeastMs?: number }): void;
  /** The next key, which runs until `done`. Undefined once the queue is closed (and drained, if so asked). */
  take(signal?: AbortSignal): Promise<QueueItem | undefined>;
  /** The run of a key has ended. Must follow each `take`. */
  done(key: string): void;
  /** Failures of the key are forgotten: the next retry is quick again. */
  forget(key: string): void;
  /** Takes no more keys. Without `drain`, waiting ones are dropped. Resolves when no key runs. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
  /** Keys that are ready, that wait for their time, and that run. */
  depth(): { readonly ready: number; readonly waiting: number; readonly running: number };
}
