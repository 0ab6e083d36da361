/** One picture: what is asked of Prometheus, and how a line of the answer is called. */
export interface Panel {
  readonly title: string;
  readonly unit?: string;
  readonly queries: readonly (readonly [expr: string, legend: string])[];
}

const DATA_SOURCE = { type: "prometheus", uid: "${datasource}" };

/** A dashboard of rows, as Grafana imports it. The data source is chosen there. */
export function dashboard(part: string, title: string, rows: readonly (readonly Panel[])[]): object {
  const panels = rows.flatMap((row, y) =>
    row.map(({ title: name, unit = "short", queries }, x) => ({
      id: y * 2 + x + 1,
      type: "timeseries",
      title: name,
      datasource: DATA_SOURCE,
      gridPos: { h: 8, w: 24 / row.length, x: (x * 24) / row.length, y: y * 8 },
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
    uid: `gatewright-${part}`,
    title: `Gatewright: ${title}`,
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

/** Half of all, and the slowest of 20, by what is in `by`. */
export function quantiles(histogram: string, by = "", over = "1h"): Panel["queries"] {
  const labels = by === "" ? "le" : `${by}, le`;
  const legend = by === "" ? "" : `{{${by}}} `;
  return [0.5, 0.95].map((q) => [
    `histogram_quantile(${q}, sum by (${labels}) (rate(${histogram}_bucket[${over}])))`,
    `${legend}${q === 0.5 ? "half" : "slowest of 20"}`,
  ]);
}
