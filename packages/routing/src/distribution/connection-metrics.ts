import type { Metrics } from "@gatewright/runtime";
import { ROUTING_METRICS } from "../routing-metrics.ts";
import type { Connections, ConnectionView } from "./connected-gateway.ts";

/** How the gateways stand that are connected to this process, read at each scrape. */
export function addConnectionMetrics(metrics: Metrics, connections: Pick<Connections, "all">): void {
  const count = (holds: (connection: ConnectionView) => boolean): number => connections.all().filter(holds).length;
  metrics.gauge(ROUTING_METRICS.connected).from(() => connections.all().length);
  metrics.gauge(ROUTING_METRICS.behind).from(() => count(({ behind }) => behind > 0));
  metrics.gauge(ROUTING_METRICS.withProblems).from(() => count(({ problem }) => problem !== ""));
}
