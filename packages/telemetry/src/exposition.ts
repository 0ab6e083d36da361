import type { Line, MetricFamily } from "./metric-family.ts";
import type { Exposition } from "./metrics.ts";

const TEXT = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Metrics as a scraper wants them: OpenMetrics if its `Accept` header names it, the Prometheus text format 0.0.4 otherwise. */
export function expose(families: Iterable<MetricFamily>, accept = ""): Exposition {
  const open = accept.includes("application/openmetrics-text");
  const out: string[] = [];
  for (const family of families) writeFamily(family, open, out);
  if (open) out.push("# EOF\n");
  return { contentType: open ? OPEN_METRICS : TEXT, body: out.join("") };
}

function writeFamily(family: MetricFamily, open: boolean, out: string[]): void {
  let lines: Line[];
  try {
    lines = [...family.lines()];
  } catch {
    return; // a metric that cannot be read must not cost the others their scrape
  }
  const counts = family.type === "counter";
  const base = open && counts ? family.name.replace(/_total$/, "") : family.name;
  const total = open && counts ? "_total" : "";
  out.push(`# HELP ${base} ${escapeHelp(family.help, open)}\n# TYPE ${base} ${family.type}\n`);
  for (const line of lines) {
    out.push(`${base}${total}${line.suffix}${writeLabels(family.labels, line, open)} ${formatNumber(line.value)}\n`);
  }
}

function writeLabels(names: readonly string[], { labels, le }: Line, open: boolean): string {
  const pairs = names.map((name, index) => `${name}="${escapeLabel(labels[index] ?? "")}"`);
  if (le !== undefined) pairs.push(`le="${formatBound(le, open)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function escapeHelp(text: string, open: boolean): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return open ? escaped.replaceAll('"', '\\"') : escaped;
}

function formatBound(value: number, open: boolean): string {
  const text = formatNumber(value);
  return open && Number.isInteger(value) && !text.includes("e") ? `${text}.0` : text;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}
