import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { ManualClock } from "@gatewright/ports";
import { Fields } from "../../exchange/fields.ts";
import type { Source } from "../../exchange/body.ts";
import type { Upstream, UpstreamRequest } from "../../upstream/upstream.ts";
import { http1Upstream } from "../http1-upstream.ts";
import type { Http1UpstreamOptions } from "../http1-upstream.ts";

/** One connection as the backend has it. */
export interface BackendConnection {
  readonly socket: Socket;
  /** Everything that came by it. */
  readonly text: () => string;
  /** Waits until this came. */
  readonly until: (pattern: RegExp) => Promise<void>;
  readonly closed: () => Promise<void>;
}

/** A backend that a test speaks for, and connections to it whose time stands still. */
export interface Scripted {
  readonly clock: ManualClock;
  readonly port: number;
  readonly upstream: Upstream;
  /** The connection that was made as the n-th, from 0. Waits for it. */
  readonly connection: (index: number) => Promise<BackendConnection>;
}

export async function scripted(
  options: Partial<Http1UpstreamOptions>,
  body: (scripted: Scripted) => Promise<void>,
): Promise<void> {
  const connections: BackendConnection[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    let text = "";
    let isClosed = false;
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => (isClosed = true));
    connections.push({
      socket,
      text: () => text,
      async until(pattern) {
        while (!pattern.test(text)) await setImmediate();
      },
      async closed() {
        while (!isClosed && !socket.readableEnded) await setImmediate();
        socket.destroy();
      },
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const clock = new ManualClock();
  const upstream = http1Upstream(
    { host: "127.0.0.1", port },
    {
      clock,
      maxConnections: 2,
      maxPending: 1,
      idleTimeoutMs: 30_000,
      connectTimeoutMs: 5000,
      maxRequestsPerConnection: 100,
      ...options,
    },
  );
  try {
    await body({
      clock,
      port,
      upstream,
      async connection(index) {
        while (connections[index] === undefined) await setImmediate();
        return connections[index];
      },
    });
  } finally {
    upstream.close();
    for (const { socket } of connections) socket.destroy();
    server.close();
    await once(server, "close");
  }
}

/** A request to a backend. */
export function request(target: string, method = "GET", body?: Source): UpstreamRequest {
  return { method, scheme: "http", authority: "h", target, fields: new Fields(), body, upgrade: undefined };
}
