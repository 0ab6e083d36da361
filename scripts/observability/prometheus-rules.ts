import type { Alert } from "./alert.ts";

/** What a Prometheus rules file holds; a PrometheusRule has the same as its spec. */
export interface PrometheusRules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly object[] }[];
}

/** Alerts in Prometheus's form. Each says which section of the documentation tells what to do. */
export function prometheusRules(part: string, alerts: readonly Alert[]): PrometheusRules {
  const rules = alerts.map(({ alert, expr, for: long, severity, summary, description, runbook }) => ({
    alert,
    expr,
    for: long,
    labels: { severity },
    annotations: { summary, description, runbook },
  }));
  return { groups: [{ name: `gatewright-${part}`, rules }] };
}
