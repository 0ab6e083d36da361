import type { Sink, Source } from "../exchange/body.ts";
import type { Fields } from "../exchange/fields.ts";

/**
 * A body for two readers. The first has it as it comes, as if there were no second. The second reads what the first has read; when it
 * falls more than `limit` bytes behind, its copy breaks off.
 */
export function copiedBody(source: Source, limit: number): { readonly first: Source; readonly copy: Source } {
  const copy = new Copy(source.length, limit);
  const first: Source = {
    length: source.length,
    open(sink) {
      source.open({
        write(chunk) {
          copy.write(chunk);
          return sink.write(chunk);
        },
        end(trailers) {
          copy.end(trailers);
          sink.end(trailers);
        },
        abort(error) {
          copy.abort(error);
          sink.abort(error);
        },
        onDrain: (listener) => sink.onDrain(listener),
      });
    },
    cancel() {
      source.cancel();
      copy.abort(new Error("the original of the body was given up"));
    },
  };
  return { first, copy };
}

class Copy implements Source {
  readonly length: number | undefined;
  readonly #limit: number;
  #pending: Uint8Array[] = [];
  #size = 0;
  #sink: Sink | undefined;
  #isFull = false;
  /** What is told once everything pending is written. */
  #last: ((sink: Sink) => void) | undefined;
  #isOver = false;

  constructor(length: number | undefined, limit: number) {
    this.length = length;
    this.#limit = limit;
  }

  open(sink: Sink): void {
    this.#sink = sink;
    sink.onDrain(() => {
      this.#isFull = false;
      this.#flow();
    });
    this.#flow();
  }

  cancel(): void {
    this.#isOver = true;
    this.#pending = [];
    this.#sink = undefined;
  }

  write(chunk: Uint8Array): void {
    if (this.#isOver || this.#last !== undefined) return;
    this.#pending.push(chunk);
    this.#size += chunk.length;
    this.#flow();
    if (this.#size > this.#limit) this.abort(new Error("the copy of the body fell too far behind"));
  }

  end(trailers: Fields | undefined): void {
    if (this.#last !== undefined) return;
    this.#last = (sink) => sink.end(trailers);
    this.#flow();
  }

  abort(error: Error): void {
    if (this.#isOver) return;
    this.#pending = [];
    this.#last = (sink) => sink.abort(error);
    this.#isFull = false;
    this.#flow();
  }

  #flow(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#isOver) return;
    while (this.#pending.length > 0 && !this.#isFull) {
      const chunk = this.#pending.shift()!;
      this.#size -= chunk.length;
      this.#isFull = !sink.write(chunk);
    }
    if (this.#pending.length > 0 || this.#last === undefined) return;
    this.#isOver = true;
    this.#last(sink);
  }
}
