import type { Http2Stream } from "node:http2";
import type { Sink } from "../exchange/body.ts";
import type { Fields } from "../exchange/fields.ts";
import { mayBeTrailer } from "../exchange/field-rules.ts";

/** Whose stream it is: told by the sink of its bytes. */
export interface StreamWriter {
  /** Bytes were given to the stream; `isFull`: the other side has to take some before there should be more. */
  wrote(isFull: boolean): void;
  /** Everything was given to the stream. */
  ended(): void;
  /** The body broke off: the stream has to be reset. */
  brokeOff(error: Error): void;
}

/** Where the bytes of a body go out on a stream. Flow control of the other side makes it have enough. */
export class StreamSink implements Sink {
  readonly #stream: Http2Stream;
  readonly #told: StreamWriter;
  #state: "open" | "ended" | "aborted" = "open";
  #trailers: Fields | undefined;
  bytes = 0;

  constructor(stream: Http2Stream, told: StreamWriter) {
    this.#stream = stream;
    this.#told = told;
    stream.on("wantTrailers", () => {
      if (this.#state === "ended") stream.sendTrailers(trailersObject(this.#trailers));
    });
  }

  /** Everything was given to the stream. */
  get ended(): boolean {
    return this.#state === "ended";
  }

  write(chunk: Uint8Array): boolean {
    const stream = this.#stream;
    if (this.#state !== "open" || stream.closed || stream.destroyed) return false;
    this.bytes += chunk.length;
    const hasRoom = stream.write(chunk);
    this.#told.wrote(!hasRoom);
    return hasRoom;
  }

  end(trailers?: Fields): void {
    if (this.#state !== "open") return;
    this.#state = "ended";
    this.#trailers = trailers;
    this.#told.ended();
    if (!this.#stream.destroyed) this.#stream.end();
  }

  abort(error: Error): void {
    if (this.#state !== "open") return;
    this.#state = "aborted";
    this.#told.brokeOff(error);
  }

  onDrain(listener: () => void): void {
    this.#stream.on("drain", listener);
  }
}

/** As Node's module takes trailers. Without a prototype, since names are the other side's. */
function trailersObject(trailers: Fields | undefined): Record<string, string[]> {
  const object = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of trailers ?? []) if (mayBeTrailer(name)) (object[name] ??= []).push(value);
  return object;
}
