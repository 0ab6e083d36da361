import { INFRA_METRICS, REASONS } from "@gatewright/infra";
import { observabilityRunbook } from "./alert.ts";
import type { Alert } from "./alert.ts";
import type { Panel } from "./dashboard.ts";

const { resources, drift } = INFRA_METRICS;

type ReasonName = keyof typeof REASONS;

/** What keeps AWS resources from being as their objects say. */
export const INFRA_ALERTS: readonly Alert[] = (
  [
    {
      alert: "GatewrightResourcesFail",
      expr: `sum by (kind) (${inState("Failed", "Denied", "QuotaExceeded", "Invalid", "Unknown", "WriteLoop", "Ambiguous")}) > 0`,
      for: "15m",
      severity: "warning",
      summary: "AWS resources of kind {{ $labels.kind }} are not as they should be",
      description: "{{ $value }} of them fail, or AWS refuses what their objects ask for.",
    },
    {
      alert: "GatewrightResourcesMissing",
      expr: `sum by (kind) (${inState("Missing")}) > 0`,
      for: "5m",
      severity: "critical",
      summary: "AWS resources of kind {{ $labels.kind }} are gone",
      description: "{{ $value }} of them were deleted by somebody else, and are not made again by themselves.",
    },
    {
      alert: "GatewrightProvidersFail",
      expr: `sum by (kind) (${inState("ProviderNotReady", "CredentialsMissing", "NoOwnIdentity", "AuthenticationFailed", "RoleDenied", "RoleNotAllowed", "WrongAccount", "AccountChanged", "Unreachable")}) > 0`,
      for: "10m",
      severity: "critical",
      summary: "AWS resources of kind {{ $labels.kind }} have no way to AWS",
      description: "{{ $value }} of them wait for an AWSProvider that cannot log in.",
    },
    {
      alert: "GatewrightResourcesThrottled",
      expr: `sum by (kind) (${inState("Throttled", "Transient")}) > 0`,
      for: "30m",
      severity: "warning",
      summary: "AWS resources of kind {{ $labels.kind }} wait for AWS",
      description: "{{ $value }} of them wait because AWS throttles, or does not answer.",
    },
    {
      alert: "GatewrightResourcesDrift",
      expr: `sum by (kind) (increase(${drift.name}[1h])) > 5 or sum by (kind) (${inState("Drifted")}) > 0`,
      for: "10m",
      severity: "warning",
      summary: "Somebody else changes AWS resources of kind {{ $labels.kind }}",
      description: "{{ $value }} changes were found, or stand as they are because their objects say so.",
    },
    {
      alert: "GatewrightDecisionsWait",
      expr: `sum by (kind) (${inState("ReplacementNeeded", "DeletionProtected", "NotEmpty", "Conflict", "NameTaken", "StopNeeded")}) > 0`,
      for: "1h",
      severity: "warning",
      summary: "AWS resources of kind {{ $labels.kind }} wait for a person",
      description: "{{ $value }} of them need a decision: the message of their condition says which.",
    },
  ] as const
).map((each) => ({ ...each, runbook: observabilityRunbook(each.alert) }));

export const INFRA_PANELS: readonly (readonly Panel[])[] = [
  [
    { title: "Resources by kind", queries: [[`sum by (kind) (${resources.name})`, "{{kind}}"]] },
    {
      title: "Resources by state",
      queries: [[`sum by (state) (${resources.name}) > 0`, "{{state}}"]],
    },
  ],
  [
    {
      title: "Drift that was repaired, an hour",
      queries: [[`sum by (kind) (increase(${drift.name}[1h]))`, "{{kind}}"]],
    },
    {
      title: "Not in sync",
      queries: [[`sum by (kind, state) (${resources.name}{state!="InSync"})`, "{{kind}} {{state}}"]],
    },
  ],
];

function inState(...states: readonly ReasonName[]): string {
  return `${resources.name}{state=~"${states.map((state) => REASONS[state].reason).join("|")}"}`;
}
