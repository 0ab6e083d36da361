import type { Source } from "../../exchange/body.ts";

/**
 * A body that is also kept while it passes. `done` is told once: the whole bytes, or undefined when it broke off, was not wanted any
 * more, or has more than `limit`.
 */
export function recordedSource(source: Source, limit: number, done: (bytes: Buffer | undefined) => void): Source {
  let chunks: Uint8Array[] | undefined = [];
  let size = 0;
  const finish = (bytes: Buffer | undefined): void => {
    if (chunks === undefined) return;
    chunks = undefined;
    done(bytes);
  };
  return {
    length: source.length,
    open(sink) {
      source.open({
        write(chunk) {
          if (chunks !== undefined) {
            size += chunk.length;
            if (size > limit) finish(undefined);
            else chunks.push(chunk);
          }
          return sink.write(chunk);
        },
        end(trailers) {
          const whole = source.length === undefined || source.length === size;
          if (chunks !== undefined) finish(whole ? Buffer.concat(chunks) : undefined);
          sink.end(trailers);
        },
        abort(error) {
          finish(undefined);
          sink.abort(error);
        },
        onDrain: (listener) => sink.onDrain(listener),
      });
    },
    cancel() {
      finish(undefined);
      source.cancel();
    },
  };
}
