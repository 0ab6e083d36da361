import type { Metrics } from "@gatewright/runtime";

/** What the stream counts. */
export interface StreamMetrics {
  /** A call of a gateway was answered. */
  call(method: string, status: "ok" | "error"): void;
  sent(updates: number): void;
  failed(): void;
  reaped(): void;
}

/** Counters of configuration that goes to gateways, by the door that it goes through. */
export function pushCounters(metrics: Metrics | undefined, door: "stream" | "push") {
  const labels = ["door"];
  const present = [[door]];
  const total = metrics?.counter({
    name: "avapigw_operator_config_push_total",
    help: "Configuration updates sent to gateways.",
    labels,
    present,
  });
  const errors = metrics?.counter({
    name: "avapigw_operator_config_push_errors_total",
    help: "Configuration updates that gateways refused, or did not acknowledge.",
    labels,
    present,
  });
  return {
    sent: (updates = 1): void => total?.inc([door], updates),
    failed: (): void => errors?.inc([door]),
  };
}

/** Metrics of the stream, under the names that operators of AVAPIGW give them. */
export function streamMetrics(metrics: Metrics | undefined, streams: () => number): StreamMetrics {
  metrics
    ?.gauge({ name: "avapigw_operator_grpc_server_active_streams", help: "Gateways that follow the stream." })
    .from(streams);
  const requests = metrics?.counter({
    name: "avapigw_operator_grpc_requests_total",
    help: "Calls of gateways.",
    labels: ["method", "status"],
  });
  const reaped = metrics?.counter({
    name: "avapigw_operator_grpc_reaped_gateways_total",
    help: "Gateways that were given up because they were not heard.",
    present: [[]],
  });
  return {
    ...pushCounters(metrics, "stream"),
    call: (method, status) => requests?.inc([method, status]),
    reaped: () => reaped?.inc(),
  };
}
