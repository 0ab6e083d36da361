import { RECONCILE_METRICS } from "@gatewright/runtime";
import { HOSTNAME_METRICS } from "../metrics/hostname-metrics.ts";
import { REASONS } from "../reasons.ts";

/** Something that a person should know of, as Prometheus is told of it. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  /** For how long it has to be so. */
  readonly for: string;
  /** `critical`: hostnames are, or will be, without service. `warning`: somebody waits, or will have to. */
  readonly severity: "critical" | "warning";
  readonly summary: string;
  readonly description: string;
  /** The section of docs/hostnames.md that says what to do. */
  readonly section: string;
}

type ReasonName = keyof typeof REASONS;

const CONTROLLERS = `controller=~"domain-claims|gateway-pool|hostname-grants|hostname-requests"`;
const CHANGES = `service="route53",operation="ChangeResourceRecordSets"`;
const { hostnames, fill, awsCalls, awsThrottles } = HOSTNAME_METRICS;

/** What platform teams are woken for: the four cases that always were, and those that stop hostnames from coming or going. */
export const ALERTS: readonly Alert[] = [
  {
    alert: "GatewrightReconcileErrors",
    expr: `sum by (controller) (rate(${RECONCILE_METRICS.errors.name}{${CONTROLLERS}}[10m])) / sum by (controller) (rate(${RECONCILE_METRICS.total.name}{${CONTROLLERS}}[10m])) > 0.1`,
    for: "10m",
    severity: "warning",
    summary: "Many runs of {{ $labels.controller }} fail",
    description:
      "{{ $value | humanizePercentage }} of the runs of controller {{ $labels.controller }} end with an error.",
    section: "the-operator-itself",
  },
  {
    alert: "GatewrightCertificatesStuck",
    expr: `sum(${inState("ValidationSlow", "CertificateFailed", "CertificateRefused")}) > 0`,
    for: "5m",
    severity: "warning",
    summary: "ACM does not issue certificates",
    description:
      "{{ $value }} hostnames wait for a certificate that is refused, has failed, or is validated for more than ten minutes.",
    section: "certificates-that-are-not-issued",
  },
  {
    alert: "GatewrightCertificatesLost",
    expr: `sum(${inState("CertificateMissing", "CertificateUnusable")}) > 0`,
    for: "5m",
    severity: "critical",
    summary: "Certificates of hostnames are gone or cannot be used",
    description: "{{ $value }} hostnames name a certificate that is not there, not issued, or does not cover them.",
    section: "certificates-that-are-not-issued",
  },
  {
    alert: "GatewrightRecordsRefused",
    expr: `sum(${inState("RecordConflict", "RecordRefused", "RecordDrifted")}) > 0`,
    for: "15m",
    severity: "warning",
    summary: "Route 53 does not take records of hostnames",
    description: "{{ $value }} hostnames wait because their zone has other records, or refuses theirs.",
    section: "records-that-are-not-as-they-should-be",
  },
  {
    alert: "GatewrightRoute53ChangesFail",
    expr: `sum(rate(${awsCalls.name}{${CHANGES},outcome!~"ok|throttled"}[15m])) / sum(rate(${awsCalls.name}{${CHANGES}}[15m])) > 0.5`,
    for: "15m",
    severity: "critical",
    summary: "Changes of Route 53 fail",
    description: "{{ $value | humanizePercentage }} of the change batches that are sent to Route 53 are not taken.",
    section: "records-that-are-not-as-they-should-be",
  },
  {
    alert: "GatewrightListenersNotAttached",
    expr: `sum(${inState("GatewayNotProgrammed", "NoGatewayFits", "LoadBalancerUnknown")}) > 0`,
    for: "10m",
    severity: "critical",
    summary: "Load balancers do not take listeners of hostnames",
    description: "{{ $value }} hostnames are on Gateways that the load balancer controller refuses or cannot program.",
    section: "load-balancers-that-do-not-follow",
  },
  {
    alert: "GatewrightGatewaysWaiting",
    expr: `sum(${inState("WaitingForGateway")}) > 0`,
    for: "20m",
    severity: "warning",
    summary: "Load balancers take long",
    description:
      "{{ $value }} hostnames have waited for their load balancer for 20 minutes: is the load balancer controller running?",
    section: "load-balancers-that-do-not-follow",
  },
  {
    alert: "GatewrightAwsCallsFail",
    expr: `sum(${inState("AwsCallFailed", "ZoneLookupFailed", "ZoneNotFound")}) > 0`,
    for: "15m",
    severity: "warning",
    summary: "Calls to AWS fail",
    description: "{{ $value }} hostnames wait because calls to AWS fail.",
    section: "aws-does-not-answer-or-says-no",
  },
  {
    alert: "GatewrightThrottled",
    expr: `sum by (service) (rate(${awsThrottles.name}[10m])) > 0.1`,
    for: "15m",
    severity: "warning",
    summary: "AWS throttles calls to {{ $labels.service }}",
    description: "{{ $value }} calls a second to {{ $labels.service }} are refused because there are too many.",
    section: "aws-does-not-answer-or-says-no",
  },
  {
    alert: "GatewrightDeletionsHeld",
    expr: `sum(${inState("DeletionHeld")}) > 0`,
    for: "1m",
    severity: "critical",
    summary: "The brake holds deletions of hostnames",
    description: "{{ $value }} hostnames are to be deleted, and stay until a person says that it is meant.",
    section: "many-deletions-at-once",
  },
  {
    alert: "GatewrightGatewayNearlyFull",
    expr: `max by (gateway, limit) (${fill.name}{limit=~"rules|target_groups"}) > 0.97`,
    for: "10m",
    severity: "warning",
    summary: "{{ $labels.gateway }} is nearly full",
    description:
      "Routes have grown: {{ $labels.gateway }} uses {{ $value | humanizePercentage }} of the {{ $labels.limit }} that a load balancer may have.",
    section: "a-gateway-that-is-nearly-full",
  },
];

function inState(...states: readonly ReasonName[]): string {
  const names = states.map((state) => REASONS[state].reason);
  return `${hostnames.name}{state=~"${names.join("|")}"}`;
}
