import type { Clock } from "@gatewright/ports";
import type { StreamSink } from "../http/api-request.ts";
import type { Change, ChangeType, Entry } from "../store/store.ts";
import type { FrameMaker } from "./watch-frames.ts";
import type { Selection } from "./selection.ts";

export interface WatchPlan {
  readonly frames: FrameMaker;
  readonly selected: Selection;
  /** Objects to send first, as ADDED. */
  readonly initial: IterableIterator<Entry> | undefined;
  /** The revision that the initial objects show. */
  readonly initialRevision: number;
  readonly markEnd: boolean;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  /** Joins the stream of changes; called once, before anything is sent. */
  subscribe(listener: (change: Change) => void): (() => void) | "expired";
  /** The newest visible revision. */
  revision(): number;
  readonly clock: Clock;
}

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;
/** Changes that may wait for a slow reader. */
const MAX_WAITING = 10_000;
/**
 * Bytes of the objects in them, before and after: what waits stays in memory, also when the window of its table has forgotten it.
 * A window remembers 32 MiB of objects after their changes, so about twice that in all: who resumes with all of it is not cut off by
 * the next change.
 */
const MAX_WAITING_BYTES = 96 * 1024 * 1024;

function sizeOf({ entry, previous }: Change): number {
  return entry.bytes.length + (previous?.bytes.length ?? 0);
}

/** What a change means to someone who sees only what matches. Undefined: nothing. */
export function seenAs(change: Change, selected: Selection): ChangeType | undefined {
  const inside = change.entry.key.startsWith(selected.prefix);
  if (!inside) return undefined;
  if (selected.everything) return change.type;
  const now = change.type !== "DELETED" && selected.matches(change.entry);
  const before = change.previous !== undefined && selected.matches(change.previous);
  if (now) return before ? "MODIFIED" : "ADDED";
  return before ? "DELETED" : undefined;
}

/**
 * Sends one watch to one reader: initial objects, then changes, in order, no faster than the reader takes them. A reader
 * that falls too far behind is cut off; it starts anew from its last revision.
 */
export class WatchSession {
  readonly #plan: WatchPlan;
  readonly #sink: StreamSink;
  readonly #waiting: { type: ChangeType; change: Change }[] = [];
  readonly #cancels: (() => void)[] = [];
  #waitingBytes = 0;
  #initial: IterableIterator<Entry> | undefined;
  /** Until then it is told what it missed, which the window bounds: a cut would not help it on. */
  #joined = false;
  #ready = true;
  #pumping = false;
  #ended = false;
  #lastBookmark = 0;

  constructor(plan: WatchPlan, sink: StreamSink) {
    this.#plan = plan;
    this.#sink = sink;
    this.#initial = plan.initial;
  }

  /** Begins to send. The returned function ends the session when the reader went away. */
  run(): (() => void) | "expired" {
    const { clock, timeoutMs, bookmarks } = this.#plan;
    this.#sink.onDrain(() => {
      this.#ready = true;
      this.#pump();
    });
    const leave = this.#plan.subscribe((change) => this.#take(change));
    if (leave === "expired") return "expired";
    this.#cancels.push(leave);
    this.#joined = true;
    this.#cancels.push(clock.timer(timeoutMs, () => this.#finish()));
    if (bookmarks) this.#scheduleBookmarks();
    this.#pump();
    return () => this.#stop();
  }

  #take(change: Change): void {
    const type = seenAs(change, this.#plan.selected);
    if (type === undefined) return;
    if (this.#joined && (this.#waiting.length >= MAX_WAITING || this.#waitingBytes >= MAX_WAITING_BYTES)) {
      this.#finish();
      return;
    }
    this.#waiting.push({ type, change });
    this.#waitingBytes += sizeOf(change);
    this.#pump();
  }

  #pump(): void {
    if (this.#pumping || this.#ended) return;
    this.#pumping = true;
    while (this.#ready && !this.#ended) {
      const frame = this.#next();
      if (frame === undefined) break;
      if (!Buffer.isBuffer(frame)) {
        frame.then(
          (bytes) => this.#resume(bytes),
          () => this.#finish(),
        );
        return;
      }
      this.#ready = this.#sink.write(frame);
    }
    this.#pumping = false;
  }

  #resume(bytes: Buffer): void {
    if (this.#ended) return;
    this.#ready = this.#sink.write(bytes);
    this.#pumping = false;
    this.#pump();
  }

  #next(): Buffer | Promise<Buffer> | undefined {
    const { frames, selected, markEnd, initialRevision } = this.#plan;
    while (this.#initial) {
      const { value, done } = this.#initial.next();
      if (done === true) {
        this.#initial = undefined;
        if (markEnd) return frames.bookmark(initialRevision, true);
      } else if (selected.matches(value)) {
        return frames.initial(value);
      }
    }
    const next = this.#waiting.shift();
    if (!next) return undefined;
    this.#waitingBytes -= sizeOf(next.change);
    return frames.change(next.type, next.change);
  }

  #scheduleBookmarks(): void {
    const { clock, timeoutMs } = this.#plan;
    const repeat = (): void => {
      this.#bookmark();
      if (!this.#ended) this.#cancels.push(clock.timer(BOOKMARK_EVERY_MS, repeat));
    };
    this.#cancels.push(clock.timer(BOOKMARK_EVERY_MS, repeat));
    if (timeoutMs > BOOKMARK_BEFORE_END_MS) {
      this.#cancels.push(clock.timer(timeoutMs - BOOKMARK_BEFORE_END_MS, () => this.#bookmark()));
    }
  }

  /** Tells how far the reader has got. Only said when nothing is on its way: a bookmark vouches for all before it. */
  #bookmark(): void {
    const revision = this.#plan.revision();
    const busy = this.#pumping || !this.#ready || this.#initial !== undefined || this.#waiting.length > 0;
    if (busy || this.#ended || revision === this.#lastBookmark) return;
    this.#lastBookmark = revision;
    this.#ready = this.#sink.write(this.#plan.frames.bookmark(revision, false));
  }

  #finish(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
  }

  #stop(): void {
    this.#ended = true;
    this.#waiting.length = 0;
    this.#initial = undefined;
    for (const cancel of this.#cancels) cancel();
  }
}
