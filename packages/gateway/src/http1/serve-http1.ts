import type { Socket } from "node:net";
import type { Serving } from "../exchange/serving.ts";
import type { BadMessage } from "./bad-message.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { Http1Limits } from "./limits.ts";
import { ServerConnection } from "./server-connection.ts";

export type ServeHttp1Options = Serving<Http1Limits, BadMessage>;

/** A connection that is served. */
export interface Http1Connection {
  /** Takes no further request: the answer of the one under way says so, then the connection closes. */
  drain(): void;
  /** Ends it now, whatever is under way. */
  destroy(): void;
}

/**
 * Serves HTTP/1.1 on a connection until it ends. `first` is what was already read of it. The socket is this function's from here on;
 * requests are handled one after the other, in their order.
 */
export function serveHttp1(socket: Socket, first: Buffer | undefined, options: ServeHttp1Options): Http1Connection {
  const { escapedSlashes = "refuse", mergeSlashes = false, underscores = "drop", scheme } = options;
  const limits = options.limits === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...options.limits };
  const connection = new ServerConnection(socket, {
    clock: options.clock,
    client: options.client,
    listener: options.listener,
    rules: { scheme, limits, escapedSlashes, mergeSlashes, maxLength: limits.targetBytes, underscores },
    handle: (exchange) => options.handle(exchange),
    refused: (error) => options.refused?.(error),
  });
  connection.start(first);
  return connection;
}
