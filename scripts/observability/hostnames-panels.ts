import { HOSTNAME_METRICS } from "@gatewright/hostnames";
import { quantiles } from "./dashboard.ts";
import type { Panel } from "./dashboard.ts";

const { hostnames, ready, issuance, denied, drift, gateways, fill } = HOSTNAME_METRICS;

export const HOSTNAME_PANELS: readonly (readonly Panel[])[] = [
  [
    { title: "Hostnames by state", queries: [[`sum by (state) (${hostnames.name}) > 0`, "{{state}}"]] },
    {
      title: "Refused, a minute",
      queries: [[`sum by (reason) (rate(${denied.name}[5m])) * 60`, "{{reason}}"]],
    },
  ],
  [
    { title: "Time to ready", unit: "s", queries: quantiles(ready.name) },
    { title: "Time to a certificate", unit: "s", queries: quantiles(issuance.name) },
  ],
  [
    {
      title: "How full Gateways are",
      unit: "percentunit",
      queries: [[`max by (gateway, limit) (${fill.name})`, "{{gateway}} {{limit}}"]],
    },
    { title: "Gateways", queries: [[`sum by (visibility) (${gateways.name})`, "{{visibility}}"]] },
  ],
  [{ title: "Drift, an hour", queries: [[`sum by (what) (increase(${drift.name}[1h]))`, "{{what}}"]] }],
];
