import type { Socket } from "node:net";
import type { Clock } from "@gatewright/ports";
import type { Client, Exchange } from "../exchange/exchange.ts";
import type { BadMessage } from "./bad-message.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { Http1Limits } from "./limits.ts";
import { ServerConnection } from "./server-connection.ts";

export interface ServeHttp1Options {
  readonly clock: Clock;
  readonly scheme: "http" | "https";
  readonly client: Client;
  /** The listener's name. */
  readonly listener: string;
  readonly limits?: Partial<Http1Limits>;
  /** By default refused. */
  readonly escapedSlashes?: "refuse" | "pass";
  /** By default not. */
  readonly mergeSlashes?: boolean;
  /** By default such fields are dropped. */
  readonly underscores?: "refuse" | "drop" | "pass";
  /** Answers a request, sooner or later. Must not throw. */
  handle(exchange: Exchange): void;
  /** Is told of what never became a request: for logs and metrics. */
  refused?(error: BadMessage): void;
}

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
