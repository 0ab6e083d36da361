import type { Clock } from "@gatewright/ports";
import { http1Upstream } from "../http1/http1-upstream.ts";
import { http2Upstream } from "../http2/http2-upstream.ts";
import type { Connect } from "./connect.ts";

/** Connections of an endpoint where nothing else is said. Idle ones are kept shorter than most servers keep theirs. */
const DEFAULTS = {
  maxConnections: 1024,
  maxPending: 1024,
  idleTimeoutMs: 60_000,
  connectTimeoutMs: 5000,
  maxRequestsPerConnection: Number.POSITIVE_INFINITY,
};

/** Connections over real sockets, by the protocol that the backend speaks. */
export function connectEndpoint(clock: Clock): Connect {
  return ({ host, port, protocol, tls, lookup, pool }) => {
    const endpoint = { host, port, tls, lookup };
    const { maxConnections, maxIdle, idleMs, maxPending } = pool;
    if (protocol === "http2") {
      const limits = {
        ...(maxConnections !== undefined && { maxConnections }),
        ...(idleMs !== undefined && { idleMs }),
      };
      return http2Upstream(endpoint, { clock, limits });
    }
    return http1Upstream(endpoint, {
      ...DEFAULTS,
      clock,
      maxIdle,
      maxConnections: maxConnections ?? DEFAULTS.maxConnections,
      maxPending: maxPending ?? DEFAULTS.maxPending,
      idleTimeoutMs: idleMs ?? DEFAULTS.idleTimeoutMs,
    });
  };
}
