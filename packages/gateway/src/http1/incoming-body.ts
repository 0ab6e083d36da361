import type { Sink, Source } from "../exchange/body.ts";
import { BadMessage } from "./bad-message.ts";
import { ChunkedDecoder } from "./chunked-decoder.ts";
import type { Http1Limits } from "./limits.ts";
import { CHUNKED, UNFRAMED } from "./message-fields.ts";

/** The connection that a body comes by. */
export interface BodyOwner {
  /** Somebody wants the body now. Asked before anything flows. */
  bodyOpened(): void;
  /** The body is over; `rest` came behind it. */
  bodyEnded(rest: Buffer | undefined): void;
  /** The body cannot be read any further: fails it, with this error or another. */
  bodyFailed(error: BadMessage): void;
  /** Nobody wants the rest of it. */
  bodyCancelled(): void;
  pauseReading(): void;
  resumeReading(): void;
}

/** What is kept before anybody asks for it. */
const HELD_BYTES = 16 * 1024;

/** A body on its way in: takes the framing off, and makes its connection wait while nobody has room for more. */
export class IncomingBody implements Source {
  readonly length: number | undefined;
  readonly #owner: BodyOwner;
  readonly #decoder: ChunkedDecoder | undefined;
  /** Bytes that are still to come; infinitely many up to the end of the connection. */
  #left: number;
  #sink: Sink | undefined;
  #held: Buffer | undefined;
  #state: "waiting" | "flowing" | "unwanted" | "done" = "waiting";
  #failure: Error | undefined;
  #ending: { readonly error: Error; readonly isClean: boolean } | undefined;
  /** Bytes that were taken off the connection, framing included. */
  received = 0;
  /** It waits for its reader, not for its sender. */
  isPaused = false;

  /** `length` as heads have it: a number of bytes, chunked, or unframed up to the end of the connection. */
  constructor(owner: BodyOwner, length: number, limits: Http1Limits) {
    this.#owner = owner;
    this.length = length >= 0 ? length : undefined;
    this.#left = length >= 0 ? length : Number.POSITIVE_INFINITY;
    this.#decoder = length === CHUNKED ? new ChunkedDecoder(limits) : undefined;
  }

  /** A body without framing: everything up to the end of the connection. */
  static raw(owner: BodyOwner, limits: Http1Limits): IncomingBody {
    return new IncomingBody(owner, UNFRAMED, limits);
  }

  /** All of it was read, or nothing more of it will be. */
  get isDone(): boolean {
    return this.#state === "done";
  }

  get isWanted(): boolean {
    return this.#state === "flowing";
  }

  get isUnwanted(): boolean {
    return this.#state === "unwanted";
  }

  /** How many bytes are still to come, as far as anybody knows. */
  get left(): number {
    return this.#left;
  }

  open(sink: Sink): void {
    if (this.#failure !== undefined) {
      sink.abort(this.#failure);
      return;
    }
    if (this.#state !== "waiting") return;
    this.#sink = sink;
    this.#state = "flowing";
    sink.onDrain(this.#wantsMore);
    this.#owner.bodyOpened();
    const held = this.#held;
    this.#held = undefined;
    // First, as in `cancel`.
    this.#wantsMore();
    if (held !== undefined) this.feed(held);
    if (this.#ending !== undefined) this.connectionEnded(this.#ending.error, this.#ending.isClean);
  }

  cancel(): void {
    if (this.#state === "done" || this.#state === "unwanted") return;
    this.#state = "unwanted";
    this.#sink = undefined;
    const held = this.#held;
    this.#held = undefined;
    this.#owner.bodyCancelled();
    // First: what was held may end this body, and the connection may wait for the next one from then on.
    this.#wantsMore();
    if (held !== undefined) this.feed(held);
  }

  /** Takes what came by the connection. What is behind the body goes to `bodyEnded`. */
  feed(bytes: Buffer): void {
    if (this.#state === "done") return;
    if (this.#state === "waiting") {
      this.#held = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes]);
      if (this.#held.length > HELD_BYTES) this.#pause();
      return;
    }
    this.received += bytes.length;
    let end: number;
    if (this.#decoder === undefined) {
      end = Math.min(bytes.length, this.#left);
      this.#left -= end;
      this.#give(end === bytes.length ? bytes : bytes.subarray(0, end));
    } else {
      const pieces: Buffer[] = [];
      try {
        end = this.#decoder.decode(bytes, 0, pieces);
      } catch (error) {
        if (!(error instanceof BadMessage)) throw error;
        this.#give(joined(pieces));
        this.#owner.bodyFailed(error);
        this.fail(error);
        return;
      }
      this.#give(joined(pieces));
    }
    // Whoever took the last piece may have ended it all.
    if (this.isDone) return;
    if (this.#decoder === undefined ? this.#left === 0 : this.#decoder.isEnd) {
      this.#finish(end === bytes.length ? undefined : bytes.subarray(end));
    }
  }

  /**
   * The connection is over, `isClean` by its proper end: that ends a body without framing; any other is not whole. What came before
   * is still there for who opens it later.
   */
  connectionEnded(error: Error, isClean: boolean): void {
    if (this.#state === "waiting") this.#ending ??= { error, isClean };
    else if (this.#state === "done") return;
    else if (isClean && this.#decoder === undefined && this.length === undefined) this.#finish(undefined);
    else this.fail(error);
  }

  /** Nothing more comes, and what came is not whole. */
  fail(error: Error): void {
    if (this.#state === "done") return;
    const sink = this.#sink;
    this.#state = "done";
    this.#sink = undefined;
    this.#held = undefined;
    this.#failure = error;
    sink?.abort(error);
  }

  #finish(rest: Buffer | undefined): void {
    const sink = this.#sink;
    this.#state = "done";
    this.#sink = undefined;
    // What comes next on the connection does not wait for the reader of this; who has ended says no more that there is room.
    this.#wantsMore();
    sink?.end(this.#decoder?.trailers);
    this.#owner.bodyEnded(rest);
  }

  #give(piece: Buffer): void {
    if (this.#sink === undefined || piece.length === 0) return;
    if (!this.#sink.write(piece)) this.#pause();
  }

  #pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.#owner.pauseReading();
  }

  readonly #wantsMore = (): void => {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#owner.resumeReading();
  };
}

/** Many small chunks are one piece to whoever reads: a client cannot make it write each of them. */
function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}
