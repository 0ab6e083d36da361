import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import net from "node:net";

/** Something that listens on this machine until the test is over. */
export interface FakeServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** An HTTP server that does as it is told. */
export async function fakeServer(handle: http.RequestListener): Promise<FakeServer> {
  const server = http.createServer(handle);
  return listening(server, () => server.closeAllConnections());
}

/** A server that speaks whatever the handler does. */
export async function fakeSocketServer(handle: (socket: Socket) => void): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    handle(socket);
  });
  return listening(server, () => sockets.forEach((socket) => socket.destroy()));
}

async function listening(server: net.Server, cut: () => void): Promise<FakeServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
