import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { createServer as createTcpServer } from "node:net";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { loadBalancerAttribute } from "../elbv2/load-balancer-attributes.ts";
import { ClientSockets, peerOf } from "./client-sockets.ts";
import { inboundFromHttp1 } from "./inbound-http1.ts";
import { inboundFromHttp2 } from "./inbound-http2.ts";
import { idleTimeout } from "./listener-views.ts";
import type { ListenerView } from "./listener-views.ts";
import type { Inbound } from "./message.ts";
import { answerOurselves, errorPage } from "./own-answer.ts";
import { secureServer } from "./secure-server.ts";
import { serveRequest } from "./serve.ts";
import type { Serving } from "./serve.ts";
import type { TlsContexts } from "./tls-contexts.ts";
import { serveUpgrade } from "./web-socket.ts";

export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** The listener as it is now; undefined once it is gone. */
  readonly view: () => ListenerView | undefined;
  readonly contexts: TlsContexts;
  readonly serving: Serving;
}

/** An open port. */
export interface Front {
  /** Takes no more connections, lets requests end for `graceMs`, and resolves when all is closed. */
  close(graceMs: number): Promise<void>;
}

const LARGEST_HEAD = 65_536;

/** Opens a port for an HTTP or HTTPS listener. Rejects when it cannot be had. */
export async function openWebFront(options: FrontOptions): Promise<Front> {
  const { serving, view } = options;
  const idle = (): number => {
    const now = view();
    return now === undefined ? 1000 : idleTimeout(now);
  };
  const sockets = new ClientSockets(serving.world.clock, idle);
  const serve = (inbound: Inbound): void => {
    const now = view();
    if (now === undefined) answerOurselves(inbound, 503);
    else void serveRequest(serving, now, inbound);
  };

  const http1 = createHttpServer({
    maxHeaderSize: LARGEST_HEAD,
    requireHostHeader: true,
    insecureHTTPParser: false,
    keepAliveTimeout: idle(),
    shouldUpgradeCallback: wantsWebSocket,
  });
  const refused = new WeakSet<Duplex>();
  http1.on("request", (request, response) => {
    const { socket } = request;
    // Node reads on; where the request that was refused ended, and this one began, is what nobody can say.
    if (refused.has(socket)) return;
    if (!isPlain(request)) {
      refused.add(socket);
      answerOurselves(inboundFromHttp1(request, response, peerOf(socket)), 400, { headers: [["Connection", "close"]] });
      return;
    }
    response.once(
      "close",
      sockets.begin(socket, () => socket.end()),
    );
    serve(inboundFromHttp1(request, response, peerOf(socket)));
  });
  http1.on("upgrade", (request, stream, early) => {
    const { socket } = request;
    if (refused.has(socket)) return;
    const now = view();
    const over = sockets.begin(socket, () => socket.end());
    if (now === undefined) socket.destroy();
    else {
      serveUpgrade(serving, now, { request, socket: stream, early, peer: peerOf(socket) })
        // An answer that cannot be written as it is: the client must not wait for it.
        .catch(() => void socket.destroy())
        .finally(over);
    }
  });
  http1.on("clientError", (_error, socket) => {
    if (!refused.has(socket)) refuse(socket);
  });

  const http2 = createHttp2Server({
    settings: { maxHeaderListSize: LARGEST_HEAD, maxConcurrentStreams: 128 },
  });
  http2.on("stream", (stream, _headers, _flags, rawHeaders: readonly string[]) => {
    const { session } = stream;
    if (session === undefined) return;
    const over = sockets.begin(session.socket, () => session.close());
    stream.once("close", over);
    serve(inboundFromHttp2(stream, rawHeaders, peerOf(session.socket)));
  });
  // Broken sessions end by themselves.
  http2.on("sessionError", () => {});

  const alpn = (offered: readonly string[]): string | undefined => {
    const now = view();
    const two = now !== undefined && loadBalancerAttribute(now.loadBalancer, "routing.http2.enabled") === "true";
    if (two && offered.includes("h2")) return "h2";
    return offered.includes("http/1.1") ? "http/1.1" : undefined;
  };
  const server = options.secure
    ? secureServer({ ...options, alpn }, (socket) =>
        (socket.alpnProtocol === "h2" ? http2 : http1).emit("connection", socket),
      )
    : createTcpServer((socket) => http1.emit("connection", socket));
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await listening(server, options);
  return {
    async close(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve));
      await sockets.close(graceMs);
      await closed;
    },
  };
}

/** Resolves when a server has its port, rejects when it cannot have it. */
export function listening(server: Server, { host, port }: Pick<FrontOptions, "host" | "port">): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

/**
 * Whether all parsers read a request alike. Bodies come with a length or in chunks; about other codings they disagree where a
 * request ends, and about several hosts which one is meant.
 */
function isPlain({ headersDistinct }: IncomingMessage): boolean {
  const codings = headersDistinct["transfer-encoding"] ?? [];
  const framed = codings.length === 0 || (codings.length === 1 && codings[0]?.toLowerCase() === "chunked");
  return framed && (headersDistinct["host"] ?? []).length <= 1;
}

/** One with a body is a request like others: its body must not be taken for what is said in the new protocol. */
function wantsWebSocket(request: IncomingMessage): boolean {
  const { headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return headers.upgrade?.toLowerCase() === "websocket" && !hasBody && isPlain(request);
}

function refuse(socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const page = errorPage(400);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nServer: awselb/2.0\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`,
  );
}
