import type { Http2Stream } from "node:http2";
import type { Sink, Source } from "../exchange/body.ts";
import { Fields } from "../exchange/fields.ts";
import { isFieldName, isFieldValue, mayBeTrailer } from "../exchange/field-rules.ts";

/** Whose stream it is: asked and told by the source of its bytes. */
export interface StreamReader {
  /** Whether the other side has ended its half properly. */
  isWhole(): boolean;
  /** Why the body broke off. */
  broken(): Error;
  /** The flow begins. */
  opened(): void;
  came(bytes: number): void;
  /** The reader has enough for now. */
  paused(): void;
  /** The reader wants more again. */
  resumed(): void;
  /** Nobody wants the rest. */
  unwanted(): void;
}

/** The bytes that come on a stream, and the trailers after them. Flow control stops the other side while the reader has enough. */
export class StreamSource implements Source {
  readonly length: number | undefined;
  readonly #stream: Http2Stream;
  readonly #told: StreamReader;
  #state: "idle" | "open" | "over" = "idle";
  #sink: Sink | undefined;
  #trailers: Fields | undefined;
  #came = 0;

  constructor(stream: Http2Stream, length: number | undefined, told: StreamReader) {
    this.#stream = stream;
    this.length = length;
    this.#told = told;
    stream.on("trailers", (_headers: unknown, _flags: unknown, raw: string[]) => {
      this.#trailers = trailersOf(raw);
    });
  }

  open(sink: Sink): void {
    if (this.#state !== "idle") return;
    this.#state = "open";
    this.#sink = sink;
    const stream = this.#stream;
    if (stream.destroyed) {
      this.#over()?.abort(this.#told.broken());
      return;
    }
    sink.onDrain(() => {
      if (this.#state !== "open") return;
      this.#told.resumed();
      stream.resume();
    });
    stream.on("data", this.#data);
    stream.on("end", this.#end);
    stream.on("close", this.#end);
    this.#told.opened();
  }

  cancel(): void {
    if (this.#state === "over") return;
    if (this.#state === "open") this.#stream.pause();
    this.#over();
    this.#told.unwanted();
  }

  readonly #data = (chunk: Buffer): void => {
    if (this.#state !== "open") return;
    this.#came += chunk.length;
    this.#told.came(chunk.length);
    if (this.#sink?.write(chunk) !== false || this.#state !== "open") return;
    this.#told.paused();
    this.#stream.pause();
  };

  readonly #end = (): void => {
    if (this.#state !== "open") return;
    const isWhole =
      this.#told.isWhole() && this.#stream.readableEnded && (this.length === undefined || this.length === this.#came);
    const sink = this.#over();
    if (isWhole) sink?.end(this.#trailers);
    else sink?.abort(this.#told.broken());
  };

  #over(): Sink | undefined {
    const sink = this.#sink;
    this.#state = "over";
    this.#sink = undefined;
    return sink;
  }
}

/** Trailers that may be passed on; those that may not are left out, as everybody may do with trailers. */
function trailersOf(raw: readonly string[]): Fields {
  const flat: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = raw[at + 1] ?? "";
    if (isFieldName(name) && isFieldValue(value) && mayBeTrailer(name)) flat.push(name, value);
  }
  return new Fields(flat);
}
