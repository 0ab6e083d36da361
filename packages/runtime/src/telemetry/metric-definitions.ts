import type { MetricOptions } from "@gatewright/telemetry";

/**
 * The metrics of this runtime. Names, labels and buckets are controller-runtime's and client-go's wherever these have the metric,
 * since dashboards and alerts exist for them; ours begin with `gatewright_`.
 */

type HistogramOptions = MetricOptions & { readonly buckets: readonly number[] };

/** 10 ns to 1000 s by tens: what controller-runtime has for queues. */
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Of a controller's runs. `result`: success, error, requeue or requeue_after. */
export const RECONCILE_METRICS = {
  total: {
    name: "controller_runtime_reconcile_total",
    help: "Runs of a controller, by how they ended",
    labels: ["controller", "result"],
  },
  errors: {
    name: "controller_runtime_reconcile_errors_total",
    help: "Runs that failed",
    labels: ["controller"],
  },
  terminalErrors: {
    name: "controller_runtime_terminal_reconcile_errors_total",
    help: "Runs that failed in a way that only a change of the object can mend",
    labels: ["controller"],
  },
  panics: {
    name: "controller_runtime_reconcile_panics_total",
    help: "Runs that threw instead of telling how they ended",
    labels: ["controller"],
  },
  timeouts: {
    name: "controller_runtime_reconcile_timeouts_total",
    help: "Runs that took longer than they may",
    labels: ["controller"],
  },
  seconds: {
    name: "controller_runtime_reconcile_time_seconds",
    help: "How long runs took",
    labels: ["controller"],
    buckets: RECONCILE_BUCKETS,
  },
  maxConcurrent: {
    name: "controller_runtime_max_concurrent_reconciles",
    help: "How many objects a controller may work on at once",
    labels: ["controller"],
  },
  activeWorkers: {
    name: "controller_runtime_active_workers",
    help: "How many objects a controller works on now",
    labels: ["controller"],
  },
} as const satisfies Record<string, MetricOptions | HistogramOptions>;

/** Of a queue. `name` and `controller` are both the controller's name, as in controller-runtime. */
export const QUEUE_METRICS = {
  depth: {
    name: "workqueue_depth",
    help: "Keys that are ready to run, by priority",
    labels: ["name", "controller", "priority"],
  },
  adds: {
    name: "workqueue_adds_total",
    help: "Keys that were added and not wanted already",
    labels: ["name", "controller"],
  },
  queueSeconds: {
    name: "workqueue_queue_duration_seconds",
    help: "How long keys were ready before they ran",
    labels: ["name", "controller"],
    buckets: QUEUE_BUCKETS,
  },
  workSeconds: {
    name: "workqueue_work_duration_seconds",
    help: "How long keys ran",
    labels: ["name", "controller"],
    buckets: QUEUE_BUCKETS,
  },
  unfinishedSeconds: {
    name: "workqueue_unfinished_work_seconds",
    help: "Sum of the times for which the keys that run now have run",
    labels: ["name", "controller"],
  },
  longestRunningSeconds: {
    name: "workqueue_longest_running_processor_seconds",
    help: "For how long the key that runs longest has run",
    labels: ["name", "controller"],
  },
  retries: {
    name: "workqueue_retries_total",
    help: "Keys that were put in to run later: after a failure, or because the run asked for it",
    labels: ["name", "controller"],
  },
} as const satisfies Record<string, MetricOptions | HistogramOptions>;

/** Of requests to the API server. */
export const REQUEST_METRICS = {
  total: {
    name: "rest_client_requests_total",
    help: "Requests to the API server, by the code of the answer",
    labels: ["code", "method", "host"],
  },
  seconds: {
    name: "rest_client_request_duration_seconds",
    help: "How long the API server took to begin an answer",
    labels: ["verb", "host"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  },
} as const satisfies Record<string, MetricOptions | HistogramOptions>;

/** Of leader election. `name`: the lease's. */
export const LEASE_METRICS = {
  leading: {
    name: "leader_election_master_status",
    help: "Whether this process holds the lease: 1 if it does, 0 if it does not",
    labels: ["name"],
  },
  slowPath: {
    name: "leader_election_slowpath_total",
    help: "Total number of renewals that had to read the lease first",
    labels: ["name"],
  },
  transitions: {
    name: "gatewright_lease_transitions",
    help: "How often the lease has changed hands, when it was last seen",
    labels: ["name"],
  },
  gateRefusals: {
    name: "gatewright_write_gate_refusals_total",
    help: "Writes that were refused or abandoned because the lease may have ended",
    labels: ["when"],
    present: [["before"], ["during"]],
  },
} as const satisfies Record<string, MetricOptions>;

/** Of webhooks and their certificates. */
export const WEBHOOK_METRICS = {
  seconds: {
    name: "controller_runtime_webhook_latency_seconds",
    help: "How long reviews took",
    labels: ["webhook"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  requests: {
    name: "controller_runtime_webhook_requests_total",
    help: "Reviews, by the code of the answer",
    labels: ["webhook", "code"],
  },
  inFlight: {
    name: "controller_runtime_webhook_requests_in_flight",
    help: "Reviews under way",
    labels: ["webhook"],
  },
  certificateReads: {
    name: "certwatcher_read_certificate_total",
    help: "Times that the serving certificate was read",
  },
  certificateReadErrors: {
    name: "certwatcher_read_certificate_errors_total",
    help: "Times that the serving certificate could not be read",
  },
} as const satisfies Record<string, MetricOptions | HistogramOptions>;

/** Of certificates that a process keeps good by itself. */
export const CERTIFICATE_METRICS = {
  expiry: {
    name: "gatewright_certificate_expiry_timestamp_seconds",
    help: "When a certificate ends, in seconds since 1970",
    labels: ["certificate"],
  },
} as const satisfies Record<string, MetricOptions>;
