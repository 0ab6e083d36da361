import { GATEWAY_METRICS } from "@gatewright/gateway";
import { observabilityRunbook } from "./alert.ts";
import type { Alert } from "./alert.ts";
import { quantiles } from "./dashboard.ts";
import type { Panel } from "./dashboard.ts";

const {
  requests,
  seconds,
  localAnswers,
  brokenOff,
  retries,
  faults,
  refusedConnections,
  active,
  connections,
  objects,
  refusedObjects,
  unhealthy,
  following,
} = GATEWAY_METRICS;

/** What users of gateways notice, or soon will. */
export const GATEWAY_ALERTS: readonly Alert[] = (
  [
    {
      alert: "GatewrightGatewayErrors",
      expr: `sum by (listener) (rate(${requests.name}{code="5xx"}[5m])) / sum by (listener) (rate(${requests.name}[5m])) > 0.05`,
      for: "5m",
      severity: "critical",
      summary: "Many answers of listener {{ $labels.listener }} are errors",
      description: "{{ $value | humanizePercentage }} of the requests end with 5xx.",
    },
    {
      alert: "GatewrightGatewaySlow",
      expr: `histogram_quantile(0.95, sum by (listener, le) (rate(${seconds.name}_bucket[5m]))) > 2.5`,
      for: "10m",
      severity: "warning",
      summary: "Answers of listener {{ $labels.listener }} take long",
      description: "One of 20 takes longer than {{ $value | humanizeDuration }}.",
    },
    {
      alert: "GatewrightGatewayFaults",
      expr: `sum(increase(${faults.name}[15m])) > 0`,
      for: "0m",
      severity: "warning",
      summary: "A gateway has faults of its own",
      description: "{{ $value }} requests met a fault of the gateway itself: its log has them.",
    },
    {
      alert: "GatewrightGatewayAlone",
      expr: `max by (pod, instance) (${following.name}) == 0`,
      for: "5m",
      severity: "warning",
      summary: "A gateway does not reach its operator",
      description: "{{ $labels.pod }}{{ $labels.instance }} serves what it had last, and gets no changes.",
    },
    {
      alert: "GatewrightGatewayObjectsRefused",
      expr: `max(${refusedObjects.name}) > 0`,
      for: "10m",
      severity: "warning",
      summary: "A gateway leaves objects out",
      description: "{{ $value }} objects are wrong for it: they serve as they were, or not at all.",
    },
    {
      alert: "GatewrightEndpointsUnhealthy",
      expr: `max by (pod, instance) (${unhealthy.name}) > 0`,
      for: "15m",
      severity: "warning",
      summary: "Endpoints of backends get no requests",
      description: "{{ $value }} endpoints fail their checks, or were taken out.",
    },
    {
      alert: "GatewrightGatewayBusy",
      expr: `max by (pod, instance) (nodejs_eventloop_lag_p99_seconds and on (pod, instance) ${active.name}) > 0.2`,
      for: "10m",
      severity: "warning",
      summary: "A gateway has too much to do",
      description: "Its event loop is late by {{ $value | humanizeDuration }}: more workers or pods are needed.",
    },
  ] as const
).map((each) => ({ ...each, runbook: observabilityRunbook(each.alert) }));

export const GATEWAY_PANELS: readonly (readonly Panel[])[] = [
  [
    {
      title: "Requests, a second",
      queries: [[`sum by (listener, code) (rate(${requests.name}[5m]))`, "{{listener}} {{code}}"]],
    },
    { title: "How long answers take", unit: "s", queries: quantiles(seconds.name, "listener", "5m") },
  ],
  [
    {
      title: "Under way",
      queries: [
        [`sum(${active.name})`, "requests"],
        [`sum by (listener) (${connections.name})`, "connections {{listener}}"],
      ],
    },
    {
      title: "Answers of the gateway's own, a second",
      queries: [
        [`sum by (reason) (rate(${localAnswers.name}[5m]))`, "{{reason}}"],
        [`sum by (reason) (rate(${brokenOff.name}[5m]))`, "{{reason}}, broken off"],
        [`sum by (reason) (rate(${refusedConnections.name}[5m]))`, "{{reason}}, before a request"],
      ],
    },
  ],
  [
    {
      title: "Objects",
      queries: [
        [`max by (kind) (${objects.name})`, "{{kind}}"],
        [`max(${refusedObjects.name})`, "refused"],
        [`max(${unhealthy.name})`, "unhealthy endpoints"],
      ],
    },
    {
      title: "Retries and faults, a second",
      queries: [
        [`sum(rate(${retries.name}[5m]))`, "retries"],
        [`sum(rate(${faults.name}[5m]))`, "faults"],
      ],
    },
  ],
  [
    {
      title: "Follows its operator",
      queries: [[`min by (pod, instance) (${following.name})`, "{{pod}} {{instance}}"]],
    },
  ],
];
