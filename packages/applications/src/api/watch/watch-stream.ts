import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Entry } from "@gatewright/store";
import type { EventHistory } from "../history/event-history.ts";
import { positionOf } from "../history/event-history.ts";
import type { StreamSink } from "@gatewright/runtime/serving";
import { HEAD, HEARTBEAT, bookmarkFrame, changeFrame, presentFrame, resetFrame } from "./frames.ts";
import type { ResetReason } from "./frames.ts";
import type { Start } from "./position.ts";

export interface WatchPlan {
  readonly history: EventHistory;
  readonly start: Start;
  readonly clock: Clock;
  readonly selected: (entry: Entry) => boolean;
  /** Asked now and then; the stream ends when the answer is no, or when there is none. */
  stillAllowed(): Promise<boolean>;
  /** Aborts when the caller went away or may no longer be answered. */
  readonly signal: AbortSignal;
  /** Called once, when the stream is over for whatever reason. */
  over(): void;
}

const HEARTBEAT_MS = 15_000;
const RECHECK_MS = 60_000;
/** How long a reader may take nothing at all while something waits for it. */
const PATIENCE_MS = 60_000;

/** What is to be sent next: the objects of a state one by one, then the changes after it. */
type Phase =
  | { readonly type: "reset"; readonly reason: ResetReason | undefined }
  | { readonly type: "present"; readonly position: number; readonly entries: IterableIterator<Entry> }
  | { readonly type: "changes" };

/**
 * Sends the history to one reader, no faster than it reads. Nothing is queued for it: the reader is a place in the history, which is
 * there for all. One that falls behind what is kept is told so and gets the present state; one that takes nothing is cut off.
 */
export class WatchStream {
  readonly #plan: WatchPlan;
  readonly #sink: StreamSink;
  readonly #leave: (() => void)[] = [];
  #phase: Phase;
  /** All changes up to here were sent or are none of the reader's. */
  #position = 0;
  /** The last place that the reader was told. */
  #told = 0;
  #ready = true;
  #ended = false;
  #impatience: CancelTimer | undefined;

  constructor(plan: WatchPlan, sink: StreamSink) {
    this.#plan = plan;
    this.#sink = sink;
    const { start } = plan;
    this.#phase = start.type === "resume" ? { type: "changes" } : { type: "reset", reason: start.reset };
    if (start.type === "resume") this.#position = this.#told = start.position;
  }

  /** Begins to send. The returned function ends it when the reader went away. */
  run(): () => void {
    const { history, signal } = this.#plan;
    const end = (): void => this.#finish();
    signal.addEventListener("abort", end, { once: true });
    this.#leave.push(() => signal.removeEventListener("abort", end));
    this.#sink.onDrain(() => this.#drained());
    this.#leave.push(history.onChange(() => this.#pump()));
    this.#repeat(HEARTBEAT_MS, () => this.#heartbeat());
    this.#repeat(RECHECK_MS, () => void this.#recheck());
    if (signal.aborted) end();
    else this.#send(HEAD);
    this.#pump();
    return () => this.#stop();
  }

  #pump(): void {
    while (this.#ready && !this.#ended) {
      const frame = this.#next();
      if (frame === undefined) return;
      this.#send(frame);
    }
  }

  #next(): Buffer | undefined {
    const { history } = this.#plan;
    for (;;) {
      switch (this.#phase.type) {
        case "reset": {
          const { reason } = this.#phase;
          const present = history.present();
          this.#phase = { type: "present", position: present.position, entries: present.entries() };
          if (reason !== undefined) return resetFrame(history.epoch, present.position, reason);
          break;
        }
        case "present": {
          const frame = this.#nextObject(this.#phase);
          if (frame !== undefined) return frame;
          this.#position = this.#told = this.#phase.position;
          this.#phase = { type: "changes" };
          return bookmarkFrame(history.epoch, this.#position);
        }
        case "changes": {
          if (this.#position >= history.floor) return this.#nextChange();
          this.#phase = { type: "reset", reason: "Expired" };
        }
      }
    }
  }

  #nextObject({ position, entries }: Phase & { type: "present" }): Buffer | undefined {
    for (let step = entries.next(); step.done !== true; step = entries.next()) {
      if (this.#plan.selected(step.value)) return presentFrame(this.#plan.history.epoch, position, step.value);
    }
    return undefined;
  }

  #nextChange(): Buffer | undefined {
    const { history, selected } = this.#plan;
    for (const entry of history.after(this.#position)) {
      this.#position = positionOf(entry);
      if (!selected(entry)) continue;
      this.#told = this.#position;
      return changeFrame(history.epoch, this.#position, entry);
    }
    return undefined;
  }

  #send(frame: Buffer): void {
    this.#ready = this.#sink.write(frame);
    if (!this.#ready) this.#impatience ??= this.#plan.clock.timer(PATIENCE_MS, () => this.#finish());
  }

  #drained(): void {
    if (this.#ended) return;
    this.#ready = true;
    this.#impatience?.();
    this.#impatience = undefined;
    this.#pump();
  }

  /** Shows both ends that the other is there, and lets a reader whose objects are quiet keep up with the history. */
  #heartbeat(): void {
    if (!this.#ready || this.#phase.type !== "changes") return;
    const moved = this.#position > this.#told;
    this.#told = this.#position;
    this.#send(moved ? bookmarkFrame(this.#plan.history.epoch, this.#position) : HEARTBEAT);
  }

  async #recheck(): Promise<void> {
    // Whoever cannot be asked about is not shown more; a client comes back with its last id.
    const allowed = await this.#plan.stillAllowed().catch(() => false);
    if (!allowed) this.#finish();
  }

  #repeat(ms: number, action: () => void): void {
    const { clock } = this.#plan;
    let cancel: CancelTimer;
    const again = (): void => {
      cancel = clock.timer(ms, () => {
        action();
        if (!this.#ended) again();
      });
    };
    again();
    this.#leave.push(() => cancel());
  }

  #finish(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
  }

  #stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#impatience?.();
    for (const leave of this.#leave) leave();
    this.#plan.over();
  }
}
