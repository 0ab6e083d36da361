import type { Alert } from "./alert.ts";
import { dashboard } from "./dashboard.ts";
import type { Panel } from "./dashboard.ts";
import { GATEWAY_ALERTS, GATEWAY_PANELS } from "./gateway.ts";
import { HOSTNAME_ALERTS } from "./hostnames-alerts.ts";
import { HOSTNAME_PANELS } from "./hostnames-panels.ts";
import { INFRA_ALERTS, INFRA_PANELS } from "./infra.ts";
import { prometheusRules } from "./prometheus-rules.ts";
import { ROUTING_ALERTS, ROUTING_PANELS } from "./routing.ts";
import { RUNTIME_ALERTS } from "./runtime-alerts.ts";
import { RUNTIME_PANELS } from "./runtime-panels.ts";

/** What is watched, part by part: `runtime` of every operator, `gateway` of gateways. */
const PARTS: readonly {
  readonly part: string;
  readonly title: string;
  readonly alerts: readonly Alert[];
  readonly rows: readonly (readonly Panel[])[];
}[] = [
  { part: "runtime", title: "the operator", alerts: RUNTIME_ALERTS, rows: RUNTIME_PANELS },
  { part: "hostnames", title: "hostnames", alerts: HOSTNAME_ALERTS, rows: HOSTNAME_PANELS },
  { part: "infra", title: "AWS resources", alerts: INFRA_ALERTS, rows: INFRA_PANELS },
  { part: "routing", title: "routing", alerts: ROUTING_ALERTS, rows: ROUTING_PANELS },
  { part: "gateway", title: "gateways", alerts: GATEWAY_ALERTS, rows: GATEWAY_PANELS },
];

export const ruleGroups = PARTS.map(({ part, alerts }) => ({ part, alerts, rules: prometheusRules(part, alerts) }));

export const dashboards = PARTS.map(({ part, title, rows }) => ({ part, dashboard: dashboard(part, title, rows) }));
