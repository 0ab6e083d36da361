import type { Metrics } from "@gatewright/runtime";

/** What is counted of claims. */
export interface ClaimMetrics {
  /** A claim came from one state into another; undefined: it appeared, or is gone. */
  moved(from: string | undefined, to: string | undefined): void;
  denied(reason: string): void;
  drift(what: "record" | "certificate"): void;
  issued(seconds: number): void;
}

const ISSUANCE_BUCKETS_S = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];

/** Without metrics nothing is counted. Reasons and states are few: they are constants. */
export function createClaimMetrics(metrics: Metrics | undefined): ClaimMetrics {
  if (metrics === undefined) return { moved() {}, denied() {}, drift() {}, issued() {} };
  const states = new Map<string, number>();
  const hostnames = metrics.gauge({
    name: "gatewright_hostnames",
    help: "Hostnames by how they stand: Serving, or why they do not serve.",
    labels: ["state"],
  });
  const denied = metrics.counter({
    name: "gatewright_claims_denied_total",
    help: "Claims that were refused, by reason.",
    labels: ["reason"],
  });
  const drift = metrics.counter({
    name: "gatewright_drift_total",
    help: "Records and certificates that somebody else has changed or removed.",
    labels: ["what"],
    present: [["record"], ["certificate"]],
  });
  const issuance = metrics.histogram({
    name: "gatewright_certificate_issuance_seconds",
    help: "From the decision to request a certificate until it was issued.",
    buckets: ISSUANCE_BUCKETS_S,
  });
  const add = (state: string | undefined, by: number): void => {
    if (state === undefined) return;
    const count = (states.get(state) ?? 0) + by;
    states.set(state, count);
    hostnames.set(count, [state]);
  };
  return {
    moved(from, to) {
      if (from === to) return;
      add(from, -1);
      add(to, 1);
    },
    denied: (reason) => denied.inc([reason]),
    drift: (what) => drift.inc([what]),
    issued: (seconds) => issuance.observe(seconds),
  };
}
