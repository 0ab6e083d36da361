import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { serveHttp2 } from "@gatewright/gateway";
import type { Exchange, Http2Connection } from "@gatewright/gateway";
import { seededRandom, systemClock } from "@gatewright/ports";

/** Serves HTTP/2 without TLS until the test is over; gives the port. */
export async function http2Server(t: TestContext, handle: (exchange: Exchange) => void): Promise<number> {
  const connections: Http2Connection[] = [];
  const server = createServer((socket) => {
    connections.push(
      serveHttp2(socket, {
        clock: systemClock,
        random: seededRandom(1),
        scheme: "http",
        client: { address: "192.0.2.1", port: 1, tls: undefined },
        listener: "test",
        handle,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const connection of connections) connection.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
