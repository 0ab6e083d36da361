import { LEASE_METRICS, QUEUE_METRICS, RECONCILE_METRICS } from "@gatewright/runtime";
import { HOSTNAME_METRICS } from "../metrics/hostname-metrics.ts";

/** One picture: what is asked of Prometheus, and how a line of the answer is called. */
interface Panel {
  readonly title: string;
  readonly unit?: string;
  readonly queries: readonly (readonly [expr: string, legend: string])[];
}

const { hostnames, ready, issuance, denied, drift, gateways, fill, awsCalls, awsThrottles, awsSeconds } =
  HOSTNAME_METRICS;

const ROWS: readonly (readonly Panel[])[] = [
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
  [
    {
      title: "Calls to AWS, a second",
      queries: [
        [`sum by (service, operation, outcome) (rate(${awsCalls.name}[5m]))`, "{{service}} {{operation}} {{outcome}}"],
      ],
    },
    {
      title: "Throttled, a second",
      queries: [[`sum by (service, operation) (rate(${awsThrottles.name}[5m]))`, "{{service}} {{operation}}"]],
    },
  ],
  [
    {
      title: "Calls to AWS, slowest of 20",
      unit: "s",
      queries: [
        [`histogram_quantile(0.95, sum by (service, le) (rate(${awsSeconds.name}_bucket[5m])))`, "{{service}}"],
      ],
    },
    { title: "Drift, an hour", queries: [[`sum by (what) (increase(${drift.name}[1h]))`, "{{what}}"]] },
  ],
  [
    {
      title: "Runs that fail, a second",
      queries: [[`sum by (controller) (rate(${RECONCILE_METRICS.errors.name}[5m]))`, "{{controller}}"]],
    },
    {
      title: "Waiting to run, and who leads",
      queries: [
        [`sum by (name) (${QUEUE_METRICS.depth.name})`, "{{name}}"],
        [LEASE_METRICS.leading.name, "leads: {{pod}}{{instance}}"],
      ],
    },
  ],
];

/** The dashboard of hostnames, as Grafana imports it. The data source is chosen there. */
export function dashboard(): object {
  const panels = ROWS.flatMap((row, y) =>
    row.map(({ title, unit = "short", queries }, x) => ({
      id: y * 2 + x + 1,
      type: "timeseries",
      title,
      datasource: DATA_SOURCE,
      gridPos: { h: 8, w: 12, x: x * 12, y: y * 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      options: { legend: { displayMode: "table", placement: "right", calcs: ["lastNotNull"] } },
      targets: queries.map(([expr, legendFormat], index) => ({
        refId: String.fromCharCode(65 + index),
        datasource: DATA_SOURCE,
        expr,
        legendFormat,
      })),
    })),
  );
  return {
    uid: "gatewright-hostnames",
    title: "Gatewright: hostnames",
    tags: ["gatewright"],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: {
      list: [{ name: "datasource", label: "Data source", type: "datasource", query: "prometheus", hide: 0 }],
    },
    panels,
  };
}

const DATA_SOURCE = { type: "prometheus", uid: "${datasource}" };

function quantiles(metric: string): Panel["queries"] {
  return [0.5, 0.95].map((q) => [
    `histogram_quantile(${q}, sum by (le) (rate(${metric}_bucket[1h])))`,
    q === 0.5 ? "half" : "slowest of 20",
  ]);
}
