import type { Source } from "./body.ts";

/** A request's body is larger than its route allows. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly code = "BODY_TOO_LARGE";

  constructor() {
    super("the body is larger than allowed");
  }
}

/**
 * A body that breaks off with {@link BodyTooLargeError} once it has more than `limit` bytes: what is over is not passed on, and the rest
 * is not wanted. `exceeded` is called before that, once.
 */
export function limitedSource(source: Source, limit: number, exceeded: () => void): Source {
  return {
    length: source.length,
    open(sink) {
      let left = limit;
      let over = false;
      source.open({
        write(chunk) {
          if (over) return false;
          left -= chunk.length;
          if (left >= 0) return sink.write(chunk);
          over = true;
          source.cancel();
          exceeded();
          sink.abort(new BodyTooLargeError());
          return false;
        },
        end(trailers) {
          if (!over) sink.end(trailers);
        },
        abort(error) {
          if (!over) sink.abort(error);
        },
        onDrain: (listener) => sink.onDrain(listener),
      });
    },
    cancel: () => source.cancel(),
  };
}
