import { HOSTNAME_METRICS, REASONS } from "@gatewright/hostnames";
import type { Alert } from "./alert.ts";

type ReasonName = keyof typeof REASONS;

const CHANGES = `service="route53",operation="ChangeResourceRecordSets"`;
const { hostnames, fill, awsCalls } = HOSTNAME_METRICS;
const runbook = (section: string): string => `docs/hostnames.md#${section}`;

/** What stops hostnames from coming or going. */
export const HOSTNAME_ALERTS: readonly Alert[] = [
  {
    alert: "GatewrightCertificatesStuck",
    expr: `sum(${inState("ValidationSlow", "CertificateFailed", "CertificateRefused")}) > 0`,
    for: "5m",
    severity: "warning",
    summary: "ACM does not issue certificates",
    description:
      "{{ $value }} hostnames wait for a certificate that is refused, has failed, or is validated for more than ten minutes.",
    runbook: runbook("certificates-that-are-not-issued"),
  },
  {
    alert: "GatewrightCertificatesLost",
    expr: `sum(${inState("CertificateMissing", "CertificateUnusable")}) > 0`,
    for: "5m",
    severity: "critical",
    summary: "Certificates of hostnames are gone or cannot be used",
    description: "{{ $value }} hostnames name a certificate that is not there, not issued, or does not cover them.",
    runbook: runbook("certificates-that-are-not-issued"),
  },
  {
    alert: "GatewrightRenewalsFail",
    expr: `sum(${inState("RenewalFails")}) > 0`,
    for: "1h",
    severity: "critical",
    summary: "ACM cannot renew certificates of hostnames that serve",
    description: "{{ $value }} hostnames answer with a certificate that will end: its renewal has failed.",
    runbook: runbook("certificates-that-are-not-issued"),
  },
  {
    alert: "GatewrightRecordsRefused",
    expr: `sum(${inState("RecordConflict", "RecordRefused", "RecordDrifted")}) > 0`,
    for: "15m",
    severity: "warning",
    summary: "Route 53 does not take records of hostnames",
    description: "{{ $value }} hostnames wait because their zone has other records, or refuses theirs.",
    runbook: runbook("records-that-are-not-as-they-should-be"),
  },
  {
    alert: "GatewrightRoute53ChangesFail",
    expr: `sum(rate(${awsCalls.name}{${CHANGES},outcome!~"ok|throttled"}[15m])) / sum(rate(${awsCalls.name}{${CHANGES}}[15m])) > 0.5`,
    for: "15m",
    severity: "critical",
    summary: "Changes of Route 53 fail",
    description: "{{ $value | humanizePercentage }} of the change batches that are sent to Route 53 are not taken.",
    runbook: runbook("records-that-are-not-as-they-should-be"),
  },
  {
    alert: "GatewrightListenersNotAttached",
    expr: `sum(${inState("GatewayNotProgrammed", "NoGatewayFits", "LoadBalancerUnknown")}) > 0`,
    for: "10m",
    severity: "critical",
    summary: "Load balancers do not take listeners of hostnames",
    description: "{{ $value }} hostnames are on Gateways that the load balancer controller refuses or cannot program.",
    runbook: runbook("load-balancers-that-do-not-follow"),
  },
  {
    alert: "GatewrightGatewaysWaiting",
    expr: `sum(${inState("WaitingForGateway")}) > 0`,
    for: "20m",
    severity: "warning",
    summary: "Load balancers take long",
    description:
      "{{ $value }} hostnames have waited for their load balancer for 20 minutes: is the load balancer controller running?",
    runbook: runbook("load-balancers-that-do-not-follow"),
  },
  {
    alert: "GatewrightAwsCallsFail",
    expr: `sum(${inState("AwsCallFailed", "ZoneLookupFailed", "ZoneNotFound")}) > 0`,
    for: "15m",
    severity: "warning",
    summary: "Calls to AWS fail",
    description: "{{ $value }} hostnames wait because calls to AWS fail.",
    runbook: runbook("aws-does-not-answer-or-says-no"),
  },
  {
    alert: "GatewrightDeletionsHeld",
    expr: `sum(${inState("DeletionHeld")}) > 0`,
    for: "1m",
    severity: "critical",
    summary: "The brake holds deletions of hostnames",
    description: "{{ $value }} hostnames are to be deleted, and stay until a person says that it is meant.",
    runbook: runbook("many-deletions-at-once"),
  },
  {
    alert: "GatewrightGatewayNearlyFull",
    expr: `max by (gateway, limit) (${fill.name}{limit=~"rules|target_groups"}) > 0.97`,
    for: "10m",
    severity: "warning",
    summary: "{{ $labels.gateway }} is nearly full",
    description:
      "Routes have grown: {{ $labels.gateway }} uses {{ $value | humanizePercentage }} of the {{ $labels.limit }} that a load balancer may have.",
    runbook: runbook("a-gateway-that-is-nearly-full"),
  },
];

function inState(...states: readonly ReasonName[]): string {
  const names = states.map((state) => REASONS[state].reason);
  return `${hostnames.name}{state=~"${names.join("|")}"}`;
}
