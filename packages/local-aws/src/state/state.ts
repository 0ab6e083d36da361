import type { Clock } from "@gatewright/ports";

/** Values of one kind by key. Reads see every commit at once, also those that are not on disk yet. Values are frozen. */
export interface Records<T> {
  get(key: string): T | undefined;
  /** In the order of keys, those that begin with the prefix. */
  list(prefix?: string): readonly (readonly [key: string, value: T])[];
  /** As `list`, one after the other and from the key `start` on: costs what is taken. Later commits do not show in it. */
  scan(prefix: string, start?: string): Iterable<readonly [key: string, value: T]>;
}

/** Changes that happen together or not at all. Of several to one key the last counts. */
export interface Commit {
  /** The state keeps the value and freezes it. JSON only: bytes as base64, times as numbers; anything else throws. */
  put<T>(records: Records<T>, key: string, value: T): void;
  delete<T>(records: Records<T>, key: string): void;
}

/**
 * What the services remember. An operation reads and decides without waiting, commits, and answers once the commit resolved: then
 * it is on disk. Between reading and committing there must be no `await`, so that no two operations mix.
 */
export interface State extends Past {
  /** The records of a name, such as `route53/zones`. The same name gives the same records. */
  records<T>(name: string): Records<T>;
  /**
   * Applies the changes at once for readers in this process; resolves when they survive a crash. What is committed for `always` is
   * also in the past that is kept: it is found by those who look there, as if it had been there from the beginning.
   */
  commit(change: (commit: Commit) => void, since?: "now" | "always"): Promise<void>;
}

/** Records as they were a while ago, for reads that lag behind. */
export interface Past {
  /** From now on what changes is kept for so long, by this clock. Default: not at all. Of several wishes the longest counts. */
  keepPast(clock: Clock, milliseconds: number): void;
  /**
   * Lets `read` see the records as they were at a moment, at most as far back as the past is kept. It must neither wait nor commit:
   * after an `await` it would be in the present again.
   */
  asOf<T>(moment: number, read: () => T): T;
}
