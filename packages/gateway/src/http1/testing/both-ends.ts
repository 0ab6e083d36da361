import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { connect as connectSecure, createServer as createSecureServer } from "node:tls";

type Ends = (accepted: Socket, client: Socket) => Promise<void>;

/** Both ends of a connection; `use` has the accepted one first. */
export async function withConnection(use: Ends): Promise<void> {
  const server = createServer();
  await between(server, "connection", (port) => connect(port, "127.0.0.1"), use);
}

/** With TLS. A key that both know takes no certificate. */
export async function withSecureConnection(use: Ends): Promise<void> {
  const psk = Buffer.alloc(16, 1);
  const how = { ciphers: "PSK-AES128-GCM-SHA256", maxVersion: "TLSv1.2" } as const;
  const server = createSecureServer({ ...how, pskCallback: () => psk });
  const pskCallback = () => ({ psk, identity: "test" });
  const reach = (port: number): Socket =>
    connectSecure({ ...how, port, host: "127.0.0.1", pskCallback, checkServerIdentity: () => undefined });
  await between(server, "secureConnection", reach, use);
}

async function between(server: Server, event: string, reach: (port: number) => Socket, use: Ends): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = reach((server.address() as AddressInfo).port);
  const [accepted] = (await once(server, event)) as [Socket];
  try {
    await use(accepted, client);
  } finally {
    client.destroy();
    accepted.destroy();
    server.close();
  }
}
