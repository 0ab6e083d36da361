import type { LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { Upstream } from "../upstream/upstream.ts";

/** Where and how connections to one endpoint are made. */
export interface EndpointTarget {
  readonly host: string;
  readonly port: number;
  readonly protocol: "http1" | "http2";
  /** Undefined: no TLS. Asked for every new connection, as certificates change; throws when they cannot be read. */
  readonly tls: (() => ConnectionOptions) | undefined;
  /** Resolves names, and refuses addresses that may not be dialled. Undefined: as the system does. */
  readonly lookup: LookupFunction | undefined;
  readonly pool: PoolLimits;
}

/** Undefined: the protocol's default. */
export interface PoolLimits {
  readonly maxConnections: number | undefined;
  readonly maxIdle: number | undefined;
  readonly idleMs: number | undefined;
  /** Requests that wait for a connection. */
  readonly maxPending: number | undefined;
}

/** Makes the connections of an endpoint. Dials nothing before the first request. */
export type Connect = (target: EndpointTarget) => Upstream;
