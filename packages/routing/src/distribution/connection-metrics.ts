import type { Metrics } from "@gatewright/runtime";
import type { Connections } from "./connected-gateway.ts";

/** How many gateways are connected to this process, read at each scrape. */
export function addConnectionMetrics(metrics: Metrics, connections: Pick<Connections, "all">): void {
  const help = "Gateways that are connected to this replica.";
  metrics.gauge({ name: "avapigw_operator_gateways_connected", help }).from(() => connections.all().length);
  metrics
    .gauge({
      name: "avapigw_operator_gateways_with_problems",
      help: "Connected gateways that could not take what they were given.",
    })
    .from(() => connections.all().filter(({ problem }) => problem !== "").length);
}
