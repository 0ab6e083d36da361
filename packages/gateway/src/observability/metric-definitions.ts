import type { MetricOptions } from "@gatewright/telemetry";

type HistogramOptions = MetricOptions & { readonly buckets: readonly number[] };

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of a gateway. Alerts and dashboard are generated from these. */
export const GATEWAY_METRICS = {
  requests: {
    name: "gatewright_gateway_requests_total",
    help: "Requests that were answered, by listener, method and class of status.",
    labels: ["listener", "method", "code"],
  },
  seconds: {
    name: "gatewright_gateway_request_duration_seconds",
    help: "From the head of a request to the end of its answer.",
    labels: ["listener"],
    buckets: BUCKETS,
  },
  localAnswers: {
    name: "gatewright_gateway_local_answers_total",
    help: "Answers that the gateway made itself, by why.",
    labels: ["reason"],
  },
  brokenOff: {
    name: "gatewright_gateway_answers_broken_off_total",
    help: "Answers that did not reach their client whole, by why.",
    labels: ["reason"],
  },
  retries: { name: "gatewright_gateway_retries_total", help: "Attempts after the first.", present: [[]] },
  faults: { name: "gatewright_gateway_faults_total", help: "Faults of the gateway itself.", present: [[]] },
  refusedConnections: {
    name: "gatewright_gateway_connections_refused_total",
    help: "Connections and heads that never became requests, by why.",
    labels: ["listener", "reason"],
  },
  active: { name: "gatewright_gateway_requests_active", help: "Requests under way." },
  connections: {
    name: "gatewright_gateway_connections",
    help: "Open connections of clients.",
    labels: ["listener"],
  },
  objects: { name: "gatewright_gateway_objects", help: "Objects that are configured.", labels: ["kind"] },
  refusedObjects: {
    name: "gatewright_gateway_objects_refused",
    help: "Objects that are left out, or serve as they were before.",
  },
  unhealthy: {
    name: "gatewright_gateway_endpoints_unhealthy",
    help: "Endpoints of backends that get no requests.",
  },
  following: {
    name: "gatewright_gateway_operator_connected",
    help: "Whether the operator is followed: 1 if it is. Missing where there is none.",
  },
} as const satisfies Readonly<Record<string, MetricOptions | HistogramOptions>>;
