import { createSocket } from "node:dgram";
import type { Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import type { Clock } from "@gatewright/ports";
import { answer, failureTo } from "./answer.ts";
import { frames } from "./tcp-frames.ts";
import type { ZoneViews } from "./zone-view.ts";

/** Where and for what a server answers. */
export interface DnsServerOptions {
  readonly zones: ZoneViews;
  readonly clock: Clock;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** For datagrams and connections alike; 0 takes a free one. Default 1053. */
  readonly port?: number;
  /** Hears of faults that are the server's own. A client can cause none. */
  readonly onError?: (error: unknown) => void;
}

/** A server that listens. */
export interface DnsServer {
  readonly host: string;
  readonly port: number;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 256;
const IDLE_MS = 10_000;
const PORT_ATTEMPTS = 20;

/** Answers DNS from the zones, over datagrams and connections. Rejects when the port is taken. */
export async function startDnsServer(options: DnsServerOptions, signal?: AbortSignal): Promise<DnsServer> {
  signal?.throwIfAborted();
  const { host = "127.0.0.1", port = 1053, onError = () => {} } = options;
  const respond = (bytes: Uint8Array, transport: "udp" | "tcp"): Uint8Array | undefined => {
    try {
      return answer(options.zones, bytes, transport);
    } catch (error) {
      onError(error);
      return failureTo(bytes);
    }
  };
  const connections = new Set<Socket>();
  let closing: Promise<void> | undefined;
  const { datagrams, server } = await listen(host, port);
  datagrams.on("message", (bytes, from) => {
    const reply = respond(bytes, "udp");
    // A client that is gone does not matter; errors of the socket are heard below.
    if (reply) datagrams.send(reply, from.port, from.address, () => {});
  });
  datagrams.on("error", onError);
  server.on("error", onError);
  server.on("connection", (socket) => {
    if (closing || connections.size >= MOST_CONNECTIONS) return void socket.destroy();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    serve(socket, options.clock, (bytes) => respond(bytes, "tcp"));
  });

  const close = async (): Promise<void> => {
    const closed = [datagrams, server, ...connections].map((each) => once(each, "close"));
    datagrams.close();
    server.close();
    for (const socket of connections) socket.destroy();
    await Promise.all(closed);
  };
  return { host, port: datagrams.address().port, close: () => (closing ??= close()) };
}

/** One client over a connection: questions one after the other, each with its length before it (RFC 7766). */
function serve(socket: Socket, clock: Clock, respond: (bytes: Uint8Array) => Uint8Array | undefined): void {
  const next = frames();
  let cancel = clock.timer(IDLE_MS, () => socket.destroy());
  socket.once("close", () => cancel());
  // Clients go when they like.
  socket.on("error", () => socket.destroy());
  socket.on("drain", () => socket.resume());
  socket.on("data", (chunk) => {
    cancel();
    cancel = clock.timer(IDLE_MS, () => socket.destroy());
    for (const message of next(chunk)) {
      const reply = respond(message);
      if (!reply) return void socket.destroy();
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      // Who does not read answers is not listened to.
      if (!socket.write(Buffer.concat([length, reply]))) socket.pause();
    }
  });
}

/** The same port for both. A free one for datagrams may be taken for connections, so another is tried then. */
async function listen(host: string, port: number): Promise<{ datagrams: Datagrams; server: Server }> {
  for (let attempt = 1; ; attempt++) {
    const datagrams = createSocket(host.includes(":") ? "udp6" : "udp4");
    datagrams.bind(port, host);
    await once(datagrams, "listening");
    const server = createServer();
    server.listen(datagrams.address().port, host);
    try {
      await once(server, "listening");
      return { datagrams, server };
    } catch (error) {
      datagrams.close();
      if (port !== 0 || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}
