import http from "node:http";
import type { Socket } from "node:net";
import { deadline, DeadlineError } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { TransportError } from "../transport-error.ts";
import { createConnector } from "./connect.ts";
import type { Route } from "./connect.ts";
import { sameMaterial } from "./tls-material.ts";
import type { TlsMaterial } from "./tls-material.ts";

export interface PoolOptions extends Route {
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly maxConnections: number;
}

/** Connections that were made with one material: kept for requests, one for each watch. */
export interface Pools {
  readonly requests: http.Agent;
  readonly watches: http.Agent;
}

/** Below the shortest idle time that load balancers in front of API servers are known to have. */
const IDLE_MS = 45_000;

/**
 * Gives connections made with the material of the moment. When it changes, requests under way end on the old connections, and no new
 * one is sent on them. Material that makes no connection (a certificate whose key is not written yet) is passed over while older
 * material is at hand.
 */
export class ConnectionPools {
  readonly #options: PoolOptions;
  #current: { readonly material: TlsMaterial; readonly pools: Pools } | undefined;
  #unusable: TlsMaterial | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  for(material: TlsMaterial): Pools {
    const current = this.#current;
    if (current !== undefined && sameMaterial(current.material, material)) return current.pools;
    if (current !== undefined && this.#unusable !== undefined && sameMaterial(this.#unusable, material)) {
      return current.pools;
    }
    try {
      const pools = createPools(this.#options, material);
      if (current !== undefined) retire(current.pools);
      this.#current = { material, pools };
      return pools;
    } catch (error) {
      this.#unusable = material;
      if (current !== undefined) return current.pools;
      const why = error instanceof Error ? error.message : "";
      throw new TransportError("tls", `the certificates to connect with cannot be used: ${why}`, { cause: error });
    }
  }

  /** Cuts everything. */
  close(): void {
    const pools = this.#current?.pools;
    pools?.requests.destroy();
    pools?.watches.destroy();
    this.#current = undefined;
  }
}

function createPools(options: PoolOptions, material: TlsMaterial): Pools {
  const connect = createConnector(options, material);
  const make = (agent: http.Agent): http.Agent => {
    agent.createConnection = (_, ready) => {
      const end = deadline(options.clock, options.connectTimeoutMs);
      connect(end.signal)
        .finally(() => end[Symbol.dispose]())
        .then(
          (socket) => ready?.(null, socket),
          (error: unknown) => ready?.(told(error), undefined as unknown as Socket),
        );
      return undefined;
    };
    return agent;
  };
  return {
    requests: make(
      new http.Agent({
        keepAlive: true,
        keepAliveMsecs: 30_000,
        maxSockets: options.maxConnections,
        timeout: IDLE_MS,
        scheduling: "lifo",
      }),
    ),
    watches: make(new http.Agent({ keepAlive: false })),
  };
}

function told(error: unknown): Error {
  if (error instanceof DeadlineError) return new Error(`no connection: ${error.message}`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

function retire({ requests }: Pools): void {
  requests.maxFreeSockets = 0;
  for (const sockets of Object.values(requests.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
