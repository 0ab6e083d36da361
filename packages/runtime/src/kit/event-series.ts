import type { core } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import type { EventNote } from "./event-recorder.ts";

/** Equal events that follow each other: told once, then counted. */
export interface Series {
  readonly key: string;
  readonly note: EventNote;
  readonly regarding: core.ObjectReference;
  readonly related: core.ObjectReference | undefined;
  readonly firstSeen: number;
  lastSeen: number;
  count: number;
  /** The event's name once it is written. */
  name: string | undefined;
  /** How many were told to the server. */
  toldCount: number;
  /** It is not written before this moment, and whether a timer waits for it. */
  nextAt: number;
  timed: boolean;
  heardAt: number;
}

/** Which series there are, and which of them want to be written. */
export interface EventSeries {
  /** Counts an event. What is wrong if it is dropped. */
  add(regarding: core.ObjectReference, note: EventNote, related: core.ObjectReference | undefined): string | undefined;
  wrote(series: Series, name: string, count: number): void;
  /** It could not be written: it is tried again when it happens again, and not at once. */
  failed(series: Series): void;
  /** Wants everything written that is not. */
  flush(): void;
}

/** Where series wait until they are written. */
export interface EventQueue {
  /** Adds it, or drops it when there are too many. */
  add(series: Series): void;
  /** Whether it waits there or is being written. */
  has(series: Series): boolean;
}

/** A series ends when nothing equal has happened for so long. */
const SERIES_MS = 6 * 60_000;
/** A count is written this often at most, and what could not be written is tried again this often. */
const TELL_MS = 60_000;
const BURST = 25;
const REFILL_MS = 5 * 60_000;
const MAX_KNOWN = 4096;

/**
 * Series of the events of one process. The first event of a series and its first repetition are written at once, later counts once
 * a minute at most. What was dropped or could not be written is wanted again when it happens again. An object may begin 25 series in
 * a row, and one more every five minutes.
 */
export function createEventSeries(clock: Clock, queue: EventQueue): EventSeries {
  const known = new Map<string, Series>();
  const buckets = new Map<string, { tokens: number; at: number }>();

  /** Whether an object may have one more event now. */
  const mayTell = (object: string): boolean => {
    const now = clock.monotonic();
    const bucket = buckets.get(object) ?? { tokens: BURST, at: now };
    const tokens = Math.min(BURST, bucket.tokens + (now - bucket.at) / REFILL_MS);
    buckets.delete(object);
    if (buckets.size >= MAX_KNOWN) forgetOldest(buckets);
    buckets.set(object, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    return tokens >= 1;
  };

  /** Has it written as soon as it may be, if there is anything to tell. */
  const schedule = (series: Series): void => {
    if (series.count <= series.toldCount || series.timed) return;
    const wait = series.nextAt - clock.monotonic();
    if (wait <= 0) return queue.add(series);
    series.timed = true;
    clock.timer(wait, () => {
      series.timed = false;
      schedule(series); // it may have been written meanwhile
    });
  };

  const again = (series: Series): void => {
    series.count++;
    series.lastSeen = clock.now();
    series.heardAt = clock.monotonic();
    // Who writes it now counts this one in, or has it scheduled when that is done.
    if (!queue.has(series)) schedule(series);
  };

  return {
    add(regarding, note, related) {
      const key = JSON.stringify([
        regarding.kind,
        regarding.namespace,
        regarding.name,
        regarding.uid,
        note.type,
        note.reason,
        note.action,
        note.note,
        related?.kind,
        related?.namespace,
        related?.name,
        related?.uid,
      ]);
      const series = known.get(key);
      if (series !== undefined && clock.monotonic() - series.heardAt < SERIES_MS) {
        again(series);
        return undefined;
      }
      known.delete(key);
      if (!mayTell(JSON.stringify([regarding.kind, regarding.namespace, regarding.name, regarding.uid]))) {
        return "too many events of one object";
      }
      if (known.size >= MAX_KNOWN) forgetOldest(known);
      const now = clock.now();
      const made: Series = {
        key,
        note,
        regarding,
        related,
        firstSeen: now,
        lastSeen: now,
        count: 1,
        name: undefined,
        toldCount: 0,
        nextAt: 0,
        timed: false,
        heardAt: clock.monotonic(),
      };
      known.set(key, made);
      queue.add(made);
      return undefined;
    },
    wrote(series, name, count) {
      series.name = name;
      series.toldCount = count;
      series.nextAt = clock.monotonic() + (count === 1 ? 0 : TELL_MS);
      schedule(series);
    },
    failed(series) {
      series.nextAt = clock.monotonic() + TELL_MS;
    },
    flush() {
      for (const series of known.values()) if (series.count > series.toldCount) queue.add(series);
    },
  };
}

function forgetOldest(entries: Map<string, unknown>): void {
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}
