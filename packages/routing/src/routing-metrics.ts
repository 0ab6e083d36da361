import type { MetricOptions } from "@gatewright/runtime";

/** The metrics of routing, under the names that operators of AVAPIGW give them where they have them. */
export const ROUTING_METRICS = {
  objects: {
    name: "avapigw_operator_crds_total",
    help: "Objects that gateways are configured with, by kind",
    labels: ["type"],
  },
  keptOut: {
    name: "avapigw_operator_crds_kept_out",
    help: "Objects whose newest generation is not delivered: it is wrong, in conflict, or refers to what is not there",
    labels: ["type"],
  },
  connected: {
    name: "avapigw_operator_gateways_connected",
    help: "Gateways that are connected to this replica.",
  },
  behind: {
    name: "avapigw_operator_gateways_behind",
    help: "Connected gateways that have not acknowledged all that they should have.",
  },
  withProblems: {
    name: "avapigw_operator_gateways_with_problems",
    help: "Connected gateways that could not take what they were given.",
  },
  pushes: {
    name: "avapigw_operator_config_push_total",
    help: "Configuration updates sent to gateways.",
    labels: ["door"],
  },
  pushErrors: {
    name: "avapigw_operator_config_push_errors_total",
    help: "Configuration updates that gateways refused, or did not acknowledge.",
    labels: ["door"],
  },
  streams: {
    name: "avapigw_operator_grpc_server_active_streams",
    help: "Gateways that follow the stream.",
  },
  calls: {
    name: "avapigw_operator_grpc_requests_total",
    help: "Calls of gateways.",
    labels: ["method", "status"],
  },
  reaped: {
    name: "avapigw_operator_grpc_reaped_gateways_total",
    help: "Gateways that were given up because they were not heard.",
    present: [[]],
  },
} as const satisfies Readonly<Record<string, MetricOptions>>;
