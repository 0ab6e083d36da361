import { performServerHandshake } from "node:http2";
import type { Socket } from "node:net";
import type { Random } from "@gatewright/ports";
import type { Serving } from "../exchange/serving.ts";
import { HTTP2_LIMITS, sessionOptions } from "./http2-limits.ts";
import type { Http2Limits } from "./http2-limits.ts";
import type { HeadRefusal } from "./incoming-head.ts";
import { ServerConnection } from "./server-connection.ts";

/** What a connection needs to be served. */
export interface ServeHttp2Options extends Serving<Http2Limits, HeadRefusal> {
  /** For the keys of WebSockets that go on by HTTP/1.1. */
  readonly random: Random;
}

/** A connection that is served. */
export interface Http2Connection {
  /** Requests under way. */
  readonly active: number;
  /** Takes no new requests, and closes when those under way are answered. The client is told first, so that none of its is lost. */
  drain(): void;
  /** Ends it now, whatever is under way. */
  destroy(): void;
}

/**
 * Serves HTTP/2 on a connected socket, plain or TLS, until it ends. Bytes that were read before have to be put back
 * (`socket.unshift`). The socket is this function's from here on.
 */
export function serveHttp2(socket: Socket, options: ServeHttp2Options): Http2Connection {
  const limits = options.limits === undefined ? HTTP2_LIMITS : { ...HTTP2_LIMITS, ...options.limits };
  const { scheme, escapedSlashes = "refuse", mergeSlashes = false, underscores = "drop" } = options;
  const target = { escapedSlashes, mergeSlashes, maxLength: limits.targetBytes };
  // A malformed frame can fail the socket before the session takes it over, and afterwards.
  socket.on("error", () => {});
  const session = performServerHandshake(socket, sessionOptions(limits));
  const connection = new ServerConnection(session, {
    ...options,
    limits,
    rules: { scheme, limits, target, underscores },
    handle: (exchange) => options.handle(exchange),
    refused: (refusal) => options.refused?.(refusal),
  });
  connection.start();
  return connection;
}
