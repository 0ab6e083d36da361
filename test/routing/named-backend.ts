import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that says its name, and the path that it was asked for. */
export interface NamedBackend {
  readonly name: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function namedBackend(name: string): Promise<NamedBackend> {
  const server = createServer((request, response) => {
    response.setHeader("x-backend", name);
    response.end(request.url);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    name,
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
