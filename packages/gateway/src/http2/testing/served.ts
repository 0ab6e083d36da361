import { connect } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { TestContext } from "node:test";
import { seededRandom, systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Http2Limits } from "../http2-limits.ts";
import { serveHttp2 } from "../serve-http2.ts";
import type { Http2Connection } from "../serve-http2.ts";

/** A client of Node's, and the connections that it is served by. */
export interface Served {
  readonly session: ClientHttp2Session;
  readonly connections: Http2Connection[];
}

/** Serves by HTTP/2 on a port of its own for as long as the test runs. */
export async function serve(
  t: TestContext,
  handle: (exchange: Exchange) => void,
  limits: Partial<Http2Limits> = {},
  clock: Clock = systemClock,
): Promise<Served> {
  const connections: Http2Connection[] = [];
  const server = createServer((socket: Socket) => {
    connections.push(
      serveHttp2(socket, {
        clock,
        random: seededRandom(1),
        scheme: "http",
        client: { address: "127.0.0.1", port: socket.remotePort ?? 0, tls: undefined },
        listener: "test",
        limits,
        handle,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on("error", () => {});
  t.after(() => {
    session.destroy();
    for (const connection of connections) connection.destroy();
    server.close();
  });
  return { session, connections };
}

/** How a request went. */
export interface Got {
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly trailers: Record<string, unknown> | undefined;
  readonly code: number | undefined;
}

/** Makes a request, and waits for its end. */
export function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Got> {
  const stream = session.request({ ":authority": "a.test", ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return got(stream);
}

/** Waits for the end of a request. */
export function got(stream: ClientHttp2Stream): Promise<Got> {
  return new Promise((resolve) => {
    let head: Record<string, unknown> = {};
    let trailers: Record<string, unknown> | undefined;
    let text = "";
    stream.on("response", (headers) => (head = headers));
    stream.on("trailers", (headers) => (trailers = headers));
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    stream.on("error", () => {});
    stream.on("close", () => resolve({ headers: head, text, trailers, code: stream.rstCode }));
  });
}
