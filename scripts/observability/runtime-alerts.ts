import { HOSTNAME_METRICS } from "@gatewright/hostnames";
import {
  CERTIFICATE_METRICS,
  LEASE_METRICS,
  QUEUE_METRICS,
  RECONCILE_METRICS,
  REQUEST_METRICS,
  WEBHOOK_METRICS,
} from "@gatewright/runtime";
import { observabilityRunbook } from "./alert.ts";
import type { Alert } from "./alert.ts";

const share = (part: string, of: string, by: string): string =>
  `sum by (${by}) (rate(${part})) / sum by (${by}) (rate(${of}))`;

/** What goes wrong with the operator itself, whatever its parts. */
export const RUNTIME_ALERTS: readonly Alert[] = (
  [
    {
      alert: "GatewrightAbsent",
      expr: `absent(${LEASE_METRICS.leading.name})`,
      for: "5m",
      severity: "critical",
      summary: "No operator is seen",
      description: "Prometheus has no metrics of any replica: the operator is down, or is not scraped.",
    },
    {
      alert: "GatewrightNobodyLeads",
      expr: `sum by (name) (${LEASE_METRICS.leading.name}) == 0`,
      for: "2m",
      severity: "critical",
      summary: "Nobody holds the lease {{ $labels.name }}",
      description: "Replicas run, and none of them leads: nothing is reconciled.",
    },
    {
      alert: "GatewrightLeaseFlaps",
      expr: `sum by (name) (changes(${LEASE_METRICS.leading.name}[30m])) > 6`,
      for: "1m",
      severity: "warning",
      summary: "The lease {{ $labels.name }} changes hands again and again",
      description: "It was taken or lost {{ $value }} times within half an hour.",
    },
    {
      alert: "GatewrightReconcileErrors",
      expr: `${share(`${RECONCILE_METRICS.errors.name}[10m]`, `${RECONCILE_METRICS.total.name}[10m]`, "controller")} > 0.1`,
      for: "10m",
      severity: "warning",
      summary: "Many runs of {{ $labels.controller }} fail",
      description:
        "{{ $value | humanizePercentage }} of the runs of controller {{ $labels.controller }} end with an error.",
    },
    {
      alert: "GatewrightReconcilesStuck",
      expr: `max by (name) (${QUEUE_METRICS.longestRunningSeconds.name}) > 240`,
      for: "1m",
      severity: "warning",
      summary: "A run of {{ $labels.name }} does not end",
      description: "It has run for {{ $value | humanizeDuration }}; after five minutes it is ended and tried again.",
    },
    {
      alert: "GatewrightQueueSlow",
      expr: `histogram_quantile(0.95, sum by (name, le) (rate(${QUEUE_METRICS.queueSeconds.name}_bucket[10m]))) > 60`,
      for: "15m",
      severity: "warning",
      summary: "Objects wait long for {{ $labels.name }}",
      description: "One of 20 waits for more than {{ $value | humanizeDuration }} before it is looked at.",
    },
    {
      alert: "GatewrightApiServerFails",
      expr: `${share(`${REQUEST_METRICS.total.name}{code=~"5..|<error>"}[10m]`, `${REQUEST_METRICS.total.name}[10m]`, "host")} > 0.1`,
      for: "10m",
      severity: "critical",
      summary: "The API server does not answer as it should",
      description: "{{ $value | humanizePercentage }} of the requests to it fail.",
    },
    {
      alert: "GatewrightForbidden",
      expr: `sum by (method) (increase(${REQUEST_METRICS.total.name}{code="403"}[15m])) > 0`,
      for: "5m",
      severity: "warning",
      summary: "The API server refuses requests of the operator",
      description:
        "Its roles lack something, or a policy stands in its way: {{ $value }} {{ $labels.method }} requests.",
    },
    {
      alert: "GatewrightWatchSilent",
      expr: `max by (resource) (gatewright_informer_silent_seconds) > 600`,
      for: "5m",
      severity: "warning",
      summary: "Nothing is heard of {{ $labels.resource }}",
      description: "The API server has sent neither a change nor a sign of life for {{ $value | humanizeDuration }}.",
    },
    {
      alert: "GatewrightWritesRefused",
      expr: `sum(increase(${LEASE_METRICS.gateRefusals.name}[15m])) > 10`,
      for: "5m",
      severity: "warning",
      summary: "Writes are held back because the lease may have ended",
      description:
        "{{ $value }} writes within a quarter of an hour: the process is too busy to renew its lease, or the API server is slow.",
    },
    {
      alert: "GatewrightWebhookFails",
      expr: `${share(`${WEBHOOK_METRICS.requests.name}{code=~"5.."}[10m]`, `${WEBHOOK_METRICS.requests.name}[10m]`, "webhook")} > 0.01`,
      for: "5m",
      severity: "critical",
      summary: "The webhook {{ $labels.webhook }} fails",
      description:
        "{{ $value | humanizePercentage }} of its answers are errors: objects of that kind cannot be written.",
    },
    {
      alert: "GatewrightWebhookSlow",
      expr: `histogram_quantile(0.99, sum by (webhook, le) (rate(${WEBHOOK_METRICS.seconds.name}_bucket[10m]))) > 2`,
      for: "10m",
      severity: "warning",
      summary: "The webhook {{ $labels.webhook }} is slow",
      description: "One of 100 answers takes longer than {{ $value | humanizeDuration }}.",
    },
    {
      alert: "GatewrightCertificateExpires",
      expr: `min by (certificate) (${CERTIFICATE_METRICS.expiry.name}) - time() < 7 * 86400`,
      for: "10m",
      severity: "critical",
      summary: "The {{ $labels.certificate }} certificate ends soon",
      description: "It ends in {{ $value | humanizeDuration }}, and should have been renewed long ago.",
    },
    {
      alert: "GatewrightThrottled",
      expr: `sum by (service) (rate(${HOSTNAME_METRICS.awsThrottles.name}[10m])) > 0.1`,
      for: "15m",
      severity: "warning",
      summary: "AWS throttles calls to {{ $labels.service }}",
      description: "{{ $value }} calls a second to {{ $labels.service }} are refused because there are too many.",
    },
  ] as const
).map((each) => ({ ...each, runbook: observabilityRunbook(each.alert) }));
