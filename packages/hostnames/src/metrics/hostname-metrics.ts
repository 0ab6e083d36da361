import type { MetricOptions } from "@gatewright/runtime";

type HistogramOptions = MetricOptions & { readonly buckets: readonly number[] };

/** From a name that reuses a certificate to a validation that takes a day. */
const MINUTES_AND_HOURS_S = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];
const CALL_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of hostnames. Alerts, dashboard and docs are generated from these. Values of labels are few: they are constants. */
export const HOSTNAME_METRICS = {
  hostnames: {
    name: "gatewright_hostnames",
    help: "Hostnames by the reason that they are at, Serving being all well",
    labels: ["state"],
  },
  denied: {
    name: "gatewright_claims_denied_total",
    help: "Hostnames that were refused, by reason",
    labels: ["reason"],
  },
  ready: {
    name: "gatewright_hostname_ready_seconds",
    help: "For how long requests were not ready until they were: since they were made, or since they stopped being so",
    buckets: MINUTES_AND_HOURS_S,
  },
  issuance: {
    name: "gatewright_certificate_issuance_seconds",
    help: "From the decision to request a certificate until it was issued",
    buckets: MINUTES_AND_HOURS_S,
  },
  drift: {
    name: "gatewright_drift_total",
    help: "Records, certificates and objects of Gateways that somebody else has changed or removed",
    labels: ["what"],
    present: [["record"], ["certificate"], ["gateway"]],
  },
  gateways: {
    name: "gatewright_gateways",
    help: "Gateways of the pool",
    labels: ["visibility"],
  },
  fill: {
    name: "gatewright_gateway_fill_ratio",
    help: "How much of a limit a Gateway uses, 1 being all of it; limit: certificates, rules, target_groups or listeners",
    labels: ["gateway", "limit"],
  },
  awsCalls: {
    name: "gatewright_aws_calls_total",
    help: "Calls to AWS, each try, by how they ended: ok, absent, throttled, retry, terminal or unknown",
    labels: ["service", "operation", "outcome"],
  },
  awsThrottles: {
    name: "gatewright_aws_throttles_total",
    help: "Calls that AWS refused because there were too many",
    labels: ["service", "operation"],
  },
  awsSeconds: {
    name: "gatewright_aws_call_seconds",
    help: "How long calls to AWS took, each try",
    labels: ["service", "operation"],
    buckets: CALL_BUCKETS_S,
  },
} as const satisfies Readonly<Record<string, MetricOptions | HistogramOptions>>;

/** What {@link HOSTNAME_METRICS}.drift counts. */
export type Drifting = (typeof HOSTNAME_METRICS.drift.present)[number][0];
