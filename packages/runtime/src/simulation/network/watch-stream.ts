import { TransportError } from "../../transport/transport-error.ts";
import type { FrameFaultKind } from "../faults/fault-kind.ts";
import type { StartStream } from "./ask-server.ts";
import { Pipe } from "./pipe.ts";
import { goneFrame } from "./status-answer.ts";

/** What a watch needs of the world around it. */
export interface StreamSurroundings {
  /** How long the next frame is on its way. */
  latency(): number;
  after(ms: number, happen: () => void): void;
  /** Nothing will ever come any more, and only the reader can find that out. */
  deaf(): void;
  /** Delivers to the process: later if it is paused, never if it is dead. */
  deliver(happen: () => void): void;
  /** What goes wrong with the frame that is due. */
  fault(): FrameFaultKind | undefined;
  /** How long a stream is held back when it is. */
  holdMs(): number;
  /** How long a replica that stands still keeps this frame back; 0 when it does not. */
  replicaHoldMs(frame: Buffer): number;
  /** A place to cut a frame of so many bytes. */
  cutAt(bytes: number): number;
  tell(what: string, content?: Uint8Array): void;
}

/**
 * A watch on its way from the server to a process. Frames arrive in order; each may be the last one, late, torn, or never come. The
 * reader leaves it by `return` or through its signal; then the server's side ends too.
 */
export class WatchStream {
  readonly pipe: Pipe;
  readonly #around: StreamSurroundings;
  /** Frames on their way; undefined stands for the end that the server made. */
  readonly #coming: (Buffer | undefined)[] = [];
  readonly #leaveServer: () => void;
  #heldUntilGone = false;
  #open = true;
  #closed: () => void = () => {};

  constructor(start: StartStream, around: StreamSurroundings) {
    this.#around = around;
    this.pipe = new Pipe(() => this.close());
    this.#leaveServer = start(
      (frame) => this.#send(frame),
      () => this.#send(undefined),
    );
  }

  /** Ends it without a word to the reader. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#coming.length = 0;
    this.#closed();
    // The server may be in the middle of starting the stream, where it cannot be left yet.
    queueMicrotask(() => this.#leaveServer());
  }

  /** Calls back when it is over, however that came. */
  onClose(closed: () => void): void {
    this.#closed = closed;
  }

  #send(frame: Buffer | undefined): void {
    if (!this.#open) return;
    this.#coming.push(frame);
    this.#around.after(this.#around.latency(), () => this.#arrive());
  }

  /** The next frame in order is here, whichever one it was scheduled for. */
  #arrive(): void {
    if (!this.#open || this.#heldUntilGone || this.#coming.length === 0) return;
    const frame = this.#coming[0];
    if (frame === undefined) return this.#end("ended by the server");
    const wait = this.#around.replicaHoldMs(frame);
    if (wait > 0) return this.#around.after(wait, () => this.#arrive());
    const fault = this.#around.fault();
    if (fault === undefined) return this.#deliverNext();
    this.#around.tell(`${fault} at a frame`);
    this.#suffer(fault, frame);
  }

  #suffer(fault: FrameFaultKind, frame: Buffer): void {
    switch (fault) {
      case "watch-cut":
        return this.#end("cut", new TransportError("cut", "the watch was cut"));
      case "watch-torn":
        this.#push(frame.subarray(0, this.#around.cutAt(frame.length)));
        return this.#end("torn", new TransportError("cut", "the watch was cut"));
      case "watch-late":
        // Those behind it wait with it: each arrival takes the first of the line.
        return this.#hold(() => this.#drain());
      case "watch-twice":
        this.#push(frame);
        return this.#deliverNext();
      case "watch-gone":
        this.#push(goneFrame());
        return this.#end("gone");
      case "watch-silent":
        this.#heldUntilGone = true;
        return this.#around.deaf();
      case "watch-unseen":
        return this.#hold(() => {
          this.#push(goneFrame());
          this.#end("gone after a stall");
        });
    }
  }

  #hold(then: () => void): void {
    this.#heldUntilGone = true;
    this.#around.after(this.#around.holdMs(), () => {
      if (!this.#open) return;
      this.#heldUntilGone = false;
      then();
    });
  }

  #drain(): void {
    for (let left = this.#coming.length; left > 0 && this.#open; left--) {
      if (this.#coming[0] === undefined) return this.#end("ended by the server");
      this.#deliverNext();
    }
  }

  #deliverNext(): void {
    const frame = this.#coming.shift();
    if (frame !== undefined) this.#push(frame);
  }

  #push(bytes: Buffer): void {
    this.#around.deliver(() => {
      this.#around.tell(`frame of ${bytes.length} bytes`, bytes);
      this.pipe.push(bytes);
    });
  }

  #end(why: string, error?: TransportError): void {
    this.close();
    this.#around.deliver(() => {
      this.#around.tell(`stream ${why}`);
      this.pipe.end(error);
    });
  }
}
