import { ALERTS } from "./alerts.ts";

/** What a Prometheus rules file holds; a PrometheusRule has the same as its spec. */
export interface PrometheusRules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly object[] }[];
}

/** All alerts in Prometheus's form. Each says which section of docs/hostnames.md tells what to do. */
export function prometheusRules(): PrometheusRules {
  const rules = ALERTS.map(({ alert, expr, for: long, severity, summary, description, section }) => ({
    alert,
    expr,
    for: long,
    labels: { severity },
    annotations: { summary, description, runbook: `docs/hostnames.md#${section}` },
  }));
  return { groups: [{ name: "gatewright-hostnames", rules }] };
}
