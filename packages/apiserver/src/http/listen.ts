import { createServer } from "node:http";
import type { Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { ApiHandler } from "./api-request.ts";
import { nodeListener } from "./node-listener.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** PEM of the serving certificate; without it the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string };
  readonly onFault: (error: unknown) => void;
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Takes no new connections, ends streams, waits for requests under way. */
  close(): Promise<void>;
}

/** Serves on a socket until closed. Rejects when the address cannot be had. */
export async function listen(handle: ApiHandler, options: ListenOptions): Promise<Listener> {
  const listener = nodeListener(handle, options.onFault);
  const server = options.tls
    ? createSecureServer(
        {
          cert: options.tls.cert,
          key: options.tls.key,
          minVersion: "TLSv1.2",
          ...(options.tls.clientCa !== undefined && {
            ca: options.tls.clientCa,
            allowPartialTrustChain: true,
            requestCert: true,
            rejectUnauthorized: false,
          }),
        },
        listener,
      )
    : createServer({ noDelay: true, keepAliveTimeout: 90_000 }, listener);
  // Watches last long and say little; requests are bounded by their bodies.
  server.requestTimeout = 60_000;
  server.timeout = 0;
  await bound(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `${options.tls ? "https" : "http"}://${host}:${port}`,
    port,
    close: () => closed(server),
  };
}

function bound(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

const GRACE_MS = 2_000;

async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const { systemClock } = await import("@gatewright/ports");
  const cancel = systemClock.timer(GRACE_MS, () => server.closeAllConnections());
  await done;
  cancel();
}
