import type { Metrics } from "@gatewright/runtime";
import { HOSTNAME_METRICS } from "../metrics/hostname-metrics.ts";
import type { Drifting } from "../metrics/hostname-metrics.ts";

/** What is counted of claims. */
export interface ClaimMetrics {
  /** A claim came from one state into another; undefined: it appeared, or is gone. */
  moved(from: string | undefined, to: string | undefined): void;
  denied(reason: string): void;
  drift(what: Exclude<Drifting, "gateway">): void;
  issued(seconds: number): void;
}

/** Without metrics nothing is counted. */
export function createClaimMetrics(metrics: Metrics | undefined): ClaimMetrics {
  if (metrics === undefined) return { moved() {}, denied() {}, drift() {}, issued() {} };
  const states = new Map<string, number>();
  const hostnames = metrics.gauge(HOSTNAME_METRICS.hostnames);
  const denied = metrics.counter(HOSTNAME_METRICS.denied);
  const drift = metrics.counter(HOSTNAME_METRICS.drift);
  const issuance = metrics.histogram(HOSTNAME_METRICS.issuance);
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
