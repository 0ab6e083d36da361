import type { MetricOptions, MetricsRegistry, Sample } from "@gatewright/runtime";

/** The metrics of AWS resources. Calls to AWS are counted where they are made. */
export const INFRA_METRICS = {
  resources: {
    name: "gatewright_aws_resources",
    help: "AWS resources by the reason that they are at, InSync being all well",
    labels: ["kind", "state"],
  },
  drift: {
    name: "gatewright_aws_resource_drift_total",
    help: "Changes by others that were put back",
    labels: ["kind"],
  },
} as const satisfies Readonly<Record<string, MetricOptions>>;

/** What is counted of the objects of one kind. */
export interface KindMetrics {
  /** An object is at this reason now; undefined: it is gone. */
  stands(key: string, reason: string | undefined): void;
  drifted(): void;
  /** Nothing is known any more: another process leads. */
  clear(): void;
}

const NOBODY: KindMetrics = { stands() {}, drifted() {}, clear() {} };

/** Makes what counts the objects of each kind. Without metrics nothing is counted. */
export function resourceMetrics(metrics: MetricsRegistry | undefined): (kind: string) => KindMetrics {
  if (metrics === undefined) return () => NOBODY;
  const kinds = new Map<string, Map<string, string>>();
  metrics.sampled({ ...INFRA_METRICS.resources, type: "gauge" }, () => Array.from(kinds, countsOf).flat());
  const drift = metrics.counter(INFRA_METRICS.drift);
  return (kind) => {
    const reasons = new Map<string, string>();
    kinds.set(kind, reasons);
    drift.inc([kind], 0);
    return {
      stands: (key, reason) => void (reason === undefined ? reasons.delete(key) : reasons.set(key, reason)),
      drifted: () => drift.inc([kind]),
      clear: () => reasons.clear(),
    };
  };
}

function countsOf([kind, reasons]: readonly [string, ReadonlyMap<string, string>]): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const reason of reasons.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([state, value]) => ({ labels: [kind, state], value }));
}
