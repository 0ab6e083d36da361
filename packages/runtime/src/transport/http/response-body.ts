import type { IncomingMessage } from "node:http";

/** The bytes of an answer. Leaving it early, even before the first byte, gives the connection up. */
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
      const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
      return {
        async next() {
          hooks.waiting();
          try {
            const result = await chunks.next();
            if (result.done === true) hooks.over();
            else hooks.heard();
            return result;
          } catch (error) {
            hooks.over();
            throw hooks.failure(error);
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
