import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { ManualClock } from "@gatewright/ports";
import type { Exchange } from "../../exchange/exchange.ts";
import type { BadMessage } from "../bad-message.ts";
import type { Http1Limits } from "../limits.ts";
import { serveHttp1 } from "../serve-http1.ts";
import type { Http1Connection } from "../serve-http1.ts";

/** A listener whose time stands still, and one client of it. */
export interface Served {
  readonly clock: ManualClock;
  readonly socket: Socket;
  /** The server's end of the connection. */
  readonly peer: Socket;
  readonly connection: Http1Connection;
  readonly refusals: BadMessage[];
  /** Everything that the client has got. */
  readonly text: () => string;
  /** Waits until the client has got what this describes. */
  readonly until: (pattern: RegExp) => Promise<void>;
  /** Waits until the connection is closed at the client's end. */
  readonly closed: () => Promise<void>;
}

/** Serves one connection with `handle`, hands it to `body`, and ends everything. */
export async function served(
  handle: (exchange: Exchange) => void,
  body: (served: Served) => Promise<void>,
  limits: Partial<Http1Limits> = {},
): Promise<void> {
  const clock = new ManualClock();
  const refusals: BadMessage[] = [];
  const { promise, resolve } = Promise.withResolvers<Pick<Served, "peer" | "connection">>();
  const server: Server = createServer((socket) => {
    resolve({
      peer: socket,
      connection: serveHttp1(socket, undefined, {
        clock,
        scheme: "http",
        client: { address: "127.0.0.1", port: 1, tls: undefined },
        listener: "test",
        limits,
        handle,
        refused: (error) => refusals.push(error),
      }),
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.on("close", () => (isClosed = true));
  socket.on("error", () => {});
  const { peer, connection } = await promise;
  try {
    await body({
      clock,
      socket,
      peer,
      connection,
      refusals,
      text: () => text,
      async until(pattern) {
        while (!pattern.test(text)) {
          if (isClosed) throw new Error(`the connection closed after ${JSON.stringify(text)}`);
          await setImmediate();
        }
      },
      async closed() {
        while (!isClosed) await setImmediate();
      },
    });
  } finally {
    connection.destroy();
    socket.destroy();
    server.close();
    await once(server, "close");
  }
}

/** Lets what is under way in the network arrive: for showing that nothing does. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await setImmediate();
}
