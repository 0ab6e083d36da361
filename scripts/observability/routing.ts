import { ROUTING_METRICS } from "@gatewright/routing";
import { observabilityRunbook } from "./alert.ts";
import type { Alert } from "./alert.ts";
import type { Panel } from "./dashboard.ts";

const { objects, keptOut, connected, behind, withProblems, pushes, pushErrors, calls, reaped } = ROUTING_METRICS;

/** What keeps routes from gateways. */
export const ROUTING_ALERTS: readonly Alert[] = (
  [
    {
      alert: "GatewrightGatewaysLag",
      expr: `sum(${behind.name}) > 0`,
      for: "2m",
      severity: "critical",
      summary: "Gateways do not have the newest configuration",
      description: "{{ $value }} connected gateways have not acknowledged all that they should have for two minutes.",
    },
    {
      alert: "GatewrightGatewaysRefuse",
      expr: `sum(${withProblems.name}) > 0`,
      for: "5m",
      severity: "critical",
      summary: "Gateways cannot take what they are given",
      description: "{{ $value }} connected gateways say that they could not take their configuration.",
    },
    {
      alert: "GatewrightNoGateways",
      expr: `sum(${connected.name}) == 0 and sum(max by (type) (${objects.name}{type=~".*route|ingress"})) > 0`,
      for: "5m",
      severity: "critical",
      summary: "There are routes, and no gateway is connected",
      description: "No gateway is connected to any replica of the operator. Gateways serve what they had last.",
    },
    {
      alert: "GatewrightPushesFail",
      expr: `sum by (door) (rate(${pushErrors.name}[10m])) / sum by (door) (rate(${pushes.name}[10m])) > 0.05`,
      for: "10m",
      severity: "warning",
      summary: "Gateways refuse updates, or do not acknowledge them",
      description: "{{ $value | humanizePercentage }} of the updates by {{ $labels.door }}.",
    },
    {
      alert: "GatewrightGatewaysLost",
      expr: `sum(increase(${reaped.name}[30m])) > 3`,
      for: "5m",
      severity: "warning",
      summary: "Gateways fall silent",
      description: "{{ $value }} gateways were given up within half an hour because nothing was heard of them.",
    },
    {
      alert: "GatewrightRoutesKeptOut",
      expr: `max by (type) (${keptOut.name}) > 0`,
      for: "30m",
      severity: "warning",
      summary: "Objects of kind {{ $labels.type }} are not delivered",
      description: "The newest version of {{ $value }} of them is wrong, in conflict, or refers to what is not there.",
    },
  ] as const
).map((each) => ({ ...each, runbook: observabilityRunbook(each.alert) }));

export const ROUTING_PANELS: readonly (readonly Panel[])[] = [
  [
    {
      title: "Gateways",
      queries: [
        [`sum(${connected.name})`, "connected"],
        [`sum(${behind.name})`, "behind"],
        [`sum(${withProblems.name})`, "with problems"],
      ],
    },
    {
      title: "Objects",
      queries: [
        [`max by (type) (${objects.name})`, "{{type}}"],
        [`max by (type) (${keptOut.name})`, "{{type}} kept out"],
      ],
    },
  ],
  [
    {
      title: "Updates to gateways, a second",
      queries: [
        [`sum by (door) (rate(${pushes.name}[5m]))`, "{{door}}"],
        [`sum by (door) (rate(${pushErrors.name}[5m]))`, "{{door}} refused"],
      ],
    },
    {
      title: "Calls of gateways, a second",
      queries: [[`sum by (method, status) (rate(${calls.name}[5m]))`, "{{method}} {{status}}"]],
    },
  ],
];
