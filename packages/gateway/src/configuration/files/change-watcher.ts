import { realpathSync, statSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import type { CancelTimer, Clock } from "@gatewright/ports";

export interface WatchTimes {
  /** How long it has to be quiet after a change; several writes are one change. */
  readonly quietMs: number;
  /** After this long a change is told even if it is not quiet. */
  readonly patienceMs: number;
  /** How often it is told to look anyway, for file systems that tell nothing. */
  readonly pollMs: number;
}

/**
 * Tells when something in some directories may have changed: soon after the file system says so, and every now and then. Entries are
 * watched through their directories, so files that are replaced by others and links that are moved elsewhere are noticed too.
 */
export class ChangeWatcher {
  readonly #clock: Clock;
  readonly #times: WatchTimes;
  readonly #changed: () => void;
  /** By where directories really are: a link that leads elsewhere, and a directory that is made anew, are other ones. */
  readonly #watched = new Map<string, FSWatcher>();
  #waiting: { readonly since: number; readonly cancel: CancelTimer } | undefined;
  #cancelPoll: CancelTimer | undefined;
  #isClosed = false;

  constructor(clock: Clock, times: WatchTimes, changed: () => void) {
    this.#clock = clock;
    this.#times = times;
    this.#changed = changed;
  }

  /** Watches these directories and no others. Directories that cannot be watched are only looked at now and then. */
  watch(directories: ReadonlySet<string>): void {
    if (this.#isClosed) return;
    const real = new Map([...directories].flatMap((path) => placeOf(path)));
    for (const [place, watcher] of this.#watched) {
      if (real.has(place)) continue;
      watcher.close();
      this.#watched.delete(place);
    }
    for (const [place, directory] of real) if (!this.#watched.has(place)) this.#begin(place, directory);
    if (this.#cancelPoll === undefined) this.#poll();
  }

  /** Nothing is told from here on. */
  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#watched.values()) watcher.close();
    this.#watched.clear();
    this.#waiting?.cancel();
    this.#cancelPoll?.();
  }

  #begin(place: string, directory: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#noticed());
      // The directory itself went, or the system ran out of watches: looking now and then remains, and the next look tries again.
      watcher.on("error", () => this.#lost(place));
      this.#watched.set(place, watcher);
    } catch {
      // As above.
    }
  }

  #lost(place: string): void {
    this.#watched.get(place)?.close();
    this.#watched.delete(place);
    this.#noticed();
  }

  #noticed(): void {
    if (this.#isClosed) return;
    const since = this.#waiting?.since ?? this.#clock.monotonic();
    this.#waiting?.cancel();
    const left = since + this.#times.patienceMs - this.#clock.monotonic();
    const cancel = this.#clock.timer(Math.max(0, Math.min(this.#times.quietMs, left)), () => {
      this.#waiting = undefined;
      this.#changed();
    });
    this.#waiting = { since, cancel };
  }

  #poll(): void {
    this.#cancelPoll = this.#clock.timer(this.#times.pollMs, () => {
      this.#poll();
      this.#changed();
    });
  }
}

function placeOf(path: string): [place: string, directory: string][] {
  try {
    const directory = realpathSync(path);
    const found = statSync(directory);
    return found.isDirectory() ? [[`${directory} ${found.dev} ${found.ino}`, directory]] : [];
  } catch {
    // It is not there, or may not be looked at: looking now and then remains.
    return [];
  }
}
