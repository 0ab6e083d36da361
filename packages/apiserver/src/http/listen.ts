import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiHandler } from "./api-request.ts";
import { systemClock } from "@gatewright/ports";
import { nodeListener, upgradeListener } from "./node-listener.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { mayUpgrade } from "./to-request.ts";
import { Unanswered } from "./unanswered.ts";

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
  const closing = new AbortController();
  const listening = { onFault: options.onFault, closing: closing.signal };
  const listener = nodeListener(handle, listening);
  const server = options.tls
    ? (await import("node:https")).createServer(
        {
          cert: options.tls.cert,
          key: options.tls.key,
          ...LIMITS,
          shouldUpgradeCallback: mayUpgrade,
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
    : createServer({ noDelay: true, shouldUpgradeCallback: mayUpgrade, ...LIMITS }, listener);
  // Watches last long and say little.
  server.timeout = 0;
  const unanswered = new Unanswered(server);
  server.on("upgrade", upgradeListener(handle, listening, unanswered));
  refuseUnreadable(server, unanswered);
  await bound(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `${options.tls ? "https" : "http"}://${host}:${port}`,
    port,
    close() {
      closing.abort();
      return closed(server);
    },
  };
}

/** Label selectors travel in URLs, so heads may be as long as the real server takes them. */
const LIMITS = { maxHeaderSize: 1024 * 1024, keepAliveTimeout: 90_000, requestTimeout: 60_000 } as const;

function bound(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** How long requests under way may take to end. Half-sent ones never do. */
const GRACE_MS = 1_000;

async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections become idle as their last answers go out, and nobody else would close them then.
  server.on("request", (_, response: ServerResponse) => response.once("close", () => server.closeIdleConnections()));
  server.closeIdleConnections();
  const cancel = systemClock.timer(GRACE_MS, () => server.closeAllConnections());
  await done;
  cancel();
}
