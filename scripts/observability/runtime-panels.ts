import { HOSTNAME_METRICS } from "@gatewright/hostnames";
import {
  CERTIFICATE_METRICS,
  LEASE_METRICS,
  QUEUE_METRICS,
  RECONCILE_METRICS,
  REQUEST_METRICS,
  WEBHOOK_METRICS,
} from "@gatewright/runtime";
import { quantiles } from "./dashboard.ts";
import type { Panel } from "./dashboard.ts";

const { awsCalls, awsThrottles, awsSeconds } = HOSTNAME_METRICS;

export const RUNTIME_PANELS: readonly (readonly Panel[])[] = [
  [
    {
      title: "Runs, a second",
      queries: [
        [`sum by (controller, result) (rate(${RECONCILE_METRICS.total.name}[5m]))`, "{{controller}} {{result}}"],
      ],
    },
    {
      title: "Runs that fail, a second",
      queries: [[`sum by (controller) (rate(${RECONCILE_METRICS.errors.name}[5m]))`, "{{controller}}"]],
    },
  ],
  [
    { title: "How long runs take", unit: "s", queries: quantiles(RECONCILE_METRICS.seconds.name, "controller", "5m") },
    { title: "How long objects wait", unit: "s", queries: quantiles(QUEUE_METRICS.queueSeconds.name, "name", "5m") },
  ],
  [
    {
      title: "Waiting to run",
      queries: [[`sum by (name) (${QUEUE_METRICS.depth.name})`, "{{name}}"]],
    },
    {
      title: "Who leads",
      queries: [[`max by (pod, instance, name) (${LEASE_METRICS.leading.name})`, "{{name}} {{pod}} {{instance}}"]],
    },
  ],
  [
    {
      title: "Requests to the API server, a second",
      queries: [[`sum by (method, code) (rate(${REQUEST_METRICS.total.name}[5m]))`, "{{method}} {{code}}"]],
    },
    {
      title: "How long the API server takes",
      unit: "s",
      queries: quantiles(REQUEST_METRICS.seconds.name, "verb", "5m"),
    },
  ],
  [
    { title: "Objects in caches", queries: [["sum by (resource) (gatewright_informer_objects)", "{{resource}}"]] },
    {
      title: "Silence of the API server",
      unit: "s",
      queries: [["max by (resource) (gatewright_informer_silent_seconds)", "{{resource}}"]],
    },
  ],
  [
    {
      title: "Webhook reviews, a second",
      queries: [[`sum by (webhook, code) (rate(${WEBHOOK_METRICS.requests.name}[5m]))`, "{{webhook}} {{code}}"]],
    },
    { title: "How long reviews take", unit: "s", queries: quantiles(WEBHOOK_METRICS.seconds.name, "webhook", "5m") },
  ],
  [
    {
      title: "Calls to AWS, a second",
      queries: [
        [`sum by (service, operation, outcome) (rate(${awsCalls.name}[5m]))`, "{{service}} {{operation}} {{outcome}}"],
        [`sum by (service) (rate(${awsThrottles.name}[5m]))`, "{{service}} throttled"],
      ],
    },
    { title: "How long AWS takes", unit: "s", queries: quantiles(awsSeconds.name, "service", "5m") },
  ],
  [
    {
      title: "Memory and lag of the event loop",
      queries: [
        ["max by (pod, instance) (process_resident_memory_bytes)", "{{pod}} {{instance}} bytes"],
        ["max by (pod, instance) (nodejs_eventloop_lag_p99_seconds)", "{{pod}} {{instance}} lag"],
      ],
    },
    {
      title: "Until certificates end",
      unit: "s",
      queries: [[`min by (certificate) (${CERTIFICATE_METRICS.expiry.name}) - time()`, "{{certificate}}"]],
    },
  ],
];
