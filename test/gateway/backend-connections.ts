import { http1Upstream } from "@gatewright/gateway";
import type { Upstream } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";

/** Connections to a backend of a test. */
export function backendConnections(port: number, maxConnections: number): Upstream {
  return http1Upstream(
    { host: "127.0.0.1", port },
    {
      clock: systemClock,
      maxConnections,
      maxPending: 100,
      idleTimeoutMs: 60_000,
      connectTimeoutMs: 10_000,
      maxRequestsPerConnection: 1_000_000,
    },
  );
}
