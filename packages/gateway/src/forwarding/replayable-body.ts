import type { Sink, Source } from "../exchange/body.ts";
import type { Fields } from "../exchange/fields.ts";

/**
 * A request's body that can be sent again from its beginning, as long as not too much of it has flowed. Each try reads it as a
 * source of its own; a try that is over is told nothing more, and what it cancels is only its own reading.
 */
export class ReplayableBody implements Sink {
  readonly #source: Source;
  readonly #limit: number;
  readonly #ended: (() => void) | undefined;
  /** What has flowed so far. Undefined: too much, or nobody will want it again. */
  #chunks: Uint8Array[] | undefined = [];
  #size = 0;
  /** The try that may read, and where it reads to once it does. */
  #reading: Source | undefined;
  #reader: Sink | undefined;
  #isSettled = false;
  #isOpen = false;
  #isOver: "no" | "ended" | "aborted" | "cancelled" = "no";
  #trailers: Fields | undefined;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  /** `ended` is told once when all of it has flowed. */
  constructor(source: Source, limit: number, ended?: () => void) {
    this.#source = source;
    this.#limit = limit;
    this.#ended = ended;
  }

  /** Whether another try can have all of it. */
  get canReplay(): boolean {
    return this.#chunks !== undefined && this.#isOver !== "aborted" && this.#isOver !== "cancelled";
  }

  /** Whether all of it has flowed, or nothing more will. */
  get isOver(): boolean {
    return this.#isOver !== "no";
  }

  /** The body for one try. A later one takes it over. */
  reading(): Source {
    this.#reader = undefined;
    const reading: Source = {
      length: this.#source.length,
      open: (sink) => {
        if (this.#reading === reading) this.#attach(sink);
      },
      cancel: () => {
        if (this.#reading !== reading) return;
        this.#reader = undefined;
        if (this.#isSettled) this.cancel();
      },
    };
    this.#reading = reading;
    return reading;
  }

  /** There will be no other try: nothing more is kept. What nobody reads is cancelled. */
  settle(): void {
    this.#isSettled = true;
    this.#chunks = undefined;
    if (this.#reader === undefined) this.cancel();
  }

  cancel(): void {
    this.#chunks = undefined;
    this.#reader = undefined;
    if (this.#isOver !== "no") return;
    this.#isOver = "cancelled";
    this.#source.cancel();
  }

  write(chunk: Uint8Array): boolean {
    this.#size += chunk.length;
    // Between two tries what comes is kept however large it is: the source stops after it.
    if (this.#chunks !== undefined) {
      if (this.#size <= this.#limit || this.#reader === undefined) this.#chunks.push(chunk);
      else this.#chunks = undefined;
    }
    return this.#reader?.write(chunk) ?? false;
  }

  end(trailers?: Fields): void {
    this.#isOver = "ended";
    this.#trailers = trailers;
    this.#reader?.end(trailers);
    this.#ended?.();
  }

  abort(error: Error): void {
    this.#isOver = "aborted";
    this.#error = error;
    this.#chunks = undefined;
    this.#reader?.abort(error);
  }

  onDrain(listener: () => void): void {
    this.#wake = listener;
  }

  #attach(sink: Sink): void {
    if (this.#isOver === "cancelled") {
      sink.abort(new Error("the body is no longer wanted"));
      return;
    }
    this.#reader = sink;
    sink.onDrain(() => {
      if (this.#reader === sink) this.#wake?.();
    });
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#source.open(this);
      return;
    }
    let wantsMore = true;
    for (const chunk of this.#chunks ?? []) wantsMore = sink.write(chunk);
    if (this.#size > this.#limit) this.#chunks = undefined;
    if (this.#isOver === "ended") sink.end(this.#trailers);
    else if (this.#error !== undefined) sink.abort(this.#error);
    else if (wantsMore) this.#wake?.();
  }
}
