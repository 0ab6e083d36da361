import type { Clock } from "@gatewright/ports";
import type { Connect } from "./backends/connect.ts";
import { http1Upstream } from "./http1/http1-upstream.ts";
import { http2Upstream } from "./http2/http2-upstream.ts";

/** What holds for a pool whose backend says nothing. */
const POOL = { maxConnections: 1024, maxPending: 1024, idleTimeoutMs: 90_000 };
const CONNECT_MS = 5000;
const MOST_REQUESTS = 100_000;

/** Makes connections to endpoints by the protocol that they speak. */
export function connectEndpoint(clock: Clock): Connect {
  return ({ protocol, pool, ...endpoint }) => {
    const idleTimeoutMs = pool.idleMs ?? POOL.idleTimeoutMs;
    if (protocol === "http2") {
      return http2Upstream(endpoint, {
        clock,
        limits: {
          connectMs: CONNECT_MS,
          idleMs: idleTimeoutMs,
          ...(pool.maxConnections !== undefined && { maxConnections: pool.maxConnections }),
        },
      });
    }
    return http1Upstream(endpoint, {
      clock,
      maxConnections: pool.maxConnections ?? POOL.maxConnections,
      maxIdle: pool.maxIdle,
      maxPending: pool.maxPending ?? POOL.maxPending,
      idleTimeoutMs,
      connectTimeoutMs: CONNECT_MS,
      maxRequestsPerConnection: MOST_REQUESTS,
    });
  };
}
