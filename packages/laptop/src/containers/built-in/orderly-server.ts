import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { Clock } from "@gatewright/ports";
import type { Address } from "../../network/cluster-network.ts";

/** HTTP servers of one container, which end without losing a request. */
export interface OrderlyServer {
  /** Listens on this machine at any free port. */
  listen(): Promise<Address>;
  /**
   * Serves on while requests come, then lets those under way end. Whoever sends requests hears later than the container that it is
   * going: a server that closed its port at once would refuse some. A tenth of the time that is left, or a second, without a request
   * is taken to mean that nobody will ask any more.
   */
  drain(graceMs: number): Promise<void>;
  /** Cuts all connections. */
  destroy(): void;
}

const LONGEST_QUIET_MS = 1000;
/** Longer than load balancers keep an idle connection: the one that closes must not be the one that answers. */
const KEEP_ALIVE_MS = 75_000;

/** Makes a server on the given answers. */
export function createOrderlyServer(clock: Clock, answer: RequestListener): OrderlyServer {
  const servers: Server[] = [];
  let lastRequest = Number.NEGATIVE_INFINITY;
  let draining = false;

  const quiet = (since: number, quietMs: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        const left = Math.max(since, lastRequest) + quietMs - clock.monotonic();
        if (left <= 0) resolve();
        else clock.timer(left, look);
      };
      look();
    });

  return {
    async listen() {
      const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
        lastRequest = clock.monotonic();
        if (draining) response.shouldKeepAlive = false;
        answer(request, response);
      });
      servers.push(server);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
      await promise;
      const address = server.address();
      if (address === null || typeof address === "string") throw new TypeError("a server of TCP has an address");
      return { host: "127.0.0.1", port: address.port };
    },
    async drain(graceMs) {
      draining = true;
      await quiet(clock.monotonic(), Math.min(LONGEST_QUIET_MS, graceMs / 10));
      await Promise.all(servers.map(closed));
    },
    destroy() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** Takes no more connections, and resolves when those that are busy have ended. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
