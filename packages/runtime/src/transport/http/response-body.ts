import type { IncomingMessage } from "node:http";

/**
 * The bytes of an answer. Leaving it early, even before the first byte, gives the connection up. Reads the stream by itself, so that a
 * short answer needs neither the iterator that Node makes nor a timer for bytes that have arrived.
 */
export function responseBody(
  response: IncomingMessage,
  hooks: {
    readonly failure: (error: unknown) => unknown;
    /** The reader waits for the server; it does so no longer. */
    readonly waiting: () => void;
    readonly heard: () => void;
    readonly over: () => void;
  },
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      let wake = (): void => {};
      const changed = (): void => wake();
      response.on("readable", changed).on("end", changed).on("error", changed).on("close", changed);
      return {
        async next() {
          for (;;) {
            const chunk = response.destroyed ? null : (response.read() as Buffer | null);
            if (chunk !== null) return { done: false, value: chunk };
            if (response.readableEnded) {
              hooks.over();
              return { done: true, value: undefined };
            }
            if (response.destroyed) {
              hooks.over();
              throw hooks.failure(response.errored ?? new Error("aborted"));
            }
            hooks.waiting();
            await new Promise<void>((resolve) => (wake = resolve));
            hooks.heard();
          }
        },
        async return() {
          hooks.over();
          if (!response.readableEnded) response.destroy();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
